import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * What the kernel does not take away with a world's namespaces, swept when the write end of standard input
 * closes: by us, or by the kernel where we were killed. Cgroups are removed from the innermost on, as soon
 * as their last process is gone. Kubelets, and what prepares hosts for them, set what they want of the whole
 * machine's kernel (how it panics, how it overcommits memory, how many files may be watched): that is put back by the
 * last world that ends, to what the first one found. A world's folder goes last.
 */
const script = `
folder=$1
group=$2
shared=$3
settings() {
  find /proc/sys/kernel /proc/sys/vm /proc/sys/fs/inotify -type f -perm -u+rw ! -path '*/random/*' ! -name ns_last_pid
}
record() {
  for setting in $(settings); do
    value=$(cat "$setting" 2>/dev/null) && printf '%s=%s\n' "$setting" "$value"
  done >"$shared/kernel-settings"
}
put_back() {
  while IFS='=' read -r setting value; do
    [ "$(cat "$setting" 2>/dev/null)" = "$value" ] || printf '%s' "$value" >"$setting"
  done <"$shared/kernel-settings" 2>/dev/null
}
# Whether another world has not been swept yet; of one that was killed only its file is left.
others() {
  for world in "$shared"/worlds/*; do
    pid=$(basename "$world")
    if [ "$pid" != $$ ] && grep -qs sweep "/proc/$pid/cmdline"; then return 0; fi
  done
  return 1
}
mkdir -p "$shared/worlds"
exec 9>"$shared/lock"
flock 9
others || record
touch "$shared/worlds/$$"
flock -u 9
echo ready
cat >/dev/null
for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  find /sys/fs/cgroup -depth -type d -path "*/$group*" -exec rmdir {} + 2>/dev/null
  [ -z "$(find /sys/fs/cgroup -type d -name "$group*" 2>/dev/null)" ] && break
  sleep 0.5
done
flock 9
rm -f "$shared/worlds/$$"
others || put_back
flock -u 9
rm -rf "$folder"
`

/** Where worlds of this machine know of one another. */
const sharedFolder = join(tmpdir(), 'hcloud-talos-worlds')

export interface Sweeper {
  /** Sweeps now, and resolves when it is done. */
  sweep(): Promise<void>
}

/** The cgroup in which all containers of a world run. */
export function cgroupOf(folder: string): string {
  return basename(folder)
}

/** Has a world's folder and cgroups swept when this process ends, however it ends. */
export async function sweepAfter(folder: string): Promise<Sweeper> {
  const child = spawn('sh', ['-c', script, 'sweep', folder, cgroupOf(folder), sharedFolder], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Signals of our terminal are not for it.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.stdout.once('data', () => resolve())
  })
  child.stdout.destroy()
  child.unref()
  return {
    sweep: async () => {
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}
