import { packagePrograms } from './package-programs.ts'
import { packagedWorldPrograms, systemPrograms, worldPrograms } from './system-programs.ts'
import { systemdPrograms } from './systemd-programs.ts'

/** Where a host sees its own folder, whatever is bound over the rest. */
export const hostMount = '/mnt'

/**
 * What every stand-in begins with. `call_world` has something done in the world: the answer comes line by line, and ends
 * with the exit code; a world that is gone ends it like a signal.
 */
const begin = `#!/bin/bash
set -e
state=${hostMount}/state
programs=${hostMount}/programs
call_world() {
  local port token line
  read -r port token <"$state/world" || return 0
  exec 9<>"/dev/tcp/127.0.0.1/$port"
  printf '%s\\0' "$token" "$(($# + 1))" "$PWD" "$@" >&9
  while IFS= read -r line <&9; do
    case $line in
      1*) printf '%s\\n' "\${line:1}" ;;
      2*) printf '%s\\n' "\${line:1}" >&2 ;;
      x*) exec 9>&-; return "\${line:1}" ;;
    esac
  done
  return 137
}
install_program() {
  local place=${hostMount}/bin/$1
  if [ -e "$programs/$1" ]; then cp "$programs/$1" "$place"; else printf '#!/bin/bash\\n%s\\n' "\${2:-true}" >"$place"; fi
  chmod 755 "$place"
}
# As dpkg does it: the program is as old as the package, and runs with the config that is there.
install_containerd() {
  install_program containerd "echo containerd github.com/containerd/containerd v$1 0123"
  touch -d 2026-01-01 ${hostMount}/bin/containerd
  touch "$state/enabled/containerd"
  date +%s >"$state/started/containerd"
  call_world systemctl start containerd
}
`

/** The programs of a host that was just installed, each as a file of bash. */
export function installedPrograms(): ReadonlyMap<string, string> {
  const own = { ...packagePrograms, ...systemPrograms, ...systemdPrograms }
  const relayed = worldPrograms.map((name): [string, string] => [name, relay(name)])
  return new Map([...Object.entries(own), ...relayed].map(([name, text]) => [name, begin + text]))
}

/** The programs that packages bring, beside those that do nothing. */
export function packagedPrograms(): ReadonlyMap<string, string> {
  return new Map(packagedWorldPrograms.map((name) => [name, relayProgram(name)]))
}

/** A program whose effects are the world's, for wherever it is brought. */
export function relayProgram(name: string): string {
  return begin + relay(name)
}

function relay(name: string): string {
  return `call_world ${name} "$@"`
}
