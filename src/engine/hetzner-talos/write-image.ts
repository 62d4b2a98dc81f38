import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { SshConnection } from '../../ssh/ssh-connection.ts'

/** The one disk of a Hetzner server. */
const device = '/dev/sda'

/**
 * Runs in the rescue system, with the image's URL and the device as arguments. The image never
 * touches the rescue system's small disk: it is streamed from the network through xz, which checks
 * its own sums, onto the device. `pipefail` is what keeps half an image from being taken for a whole
 * one. The discard makes the snapshot small; devices that cannot discard are written all the same.
 */
const writeScript = `
url=$1
device=$2
work=$(mktemp --directory)
mkfifo "$work/stream"
sha256sum <"$work/stream" >"$work/digest" &
hashing=$!
if ! blkdiscard --force "$device"; then echo "no discard on $device: going on without" >&2; fi
wget --quiet --tries=3 --timeout=60 --output-document=- "$url" \\
  | tee "$work/stream" \\
  | xz --decompress --stdout \\
  | dd of="$device" bs=4M iflag=fullblock conv=fsync status=none
wait "$hashing"
sync
read -r digest _ <"$work/digest"
echo "digest $digest"
`

/**
 * Writes the raw image at `url` onto the disk of a server in rescue, and returns the SHA-256 of what
 * was downloaded (64 hex digits). Throws `image-build-failed` with the end of what the tools said.
 */
export async function writeImage(
  host: SshConnection,
  url: string,
  { progress, signal }: { progress: PhaseProgress; signal: AbortSignal },
): Promise<string> {
  progress.step(`writing ${url}`)
  // The script goes in by standard input and the values as arguments: nothing is pasted into a command.
  const result = await host.run(`bash -euo pipefail -s -- ${quote(url)} ${quote(device)}`, {
    stdin: writeScript,
    signal,
  })
  const digest = /^digest ([0-9a-f]{64})$/m.exec(result.stdout)?.[1]
  if (result.code === 0 && digest !== undefined) return digest
  const said = `${result.stdout}\n${result.stderr}`.trim().split('\n').slice(-4).join(' / ')
  throw new ClusterError(
    'image-build-failed',
    result.code === undefined
      ? `the connection broke while the image was written: ${said}`
      : `the image could not be written (exit code ${result.code}): ${said}`,
    {
      operation: 'write the Talos image',
      target: url,
      hint: 'Run again: nothing was kept. If it fails again, check whether the factory has this version and schematic.',
    },
  )
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
