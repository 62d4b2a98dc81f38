import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** As much of systemctl as jobs ask for: a unit is active as long as its supervisor is there. */
const systemctl = `#!/bin/bash
units=$(dirname -- "$0")/../units
unit=\${@: -1}
pid=$(cat "$units/$unit" 2>/dev/null || echo none)
case $1 in
  is-system-running) if [ -e "$units/stopping" ]; then echo stopping; exit 1; else echo running; fi ;;
  show) if kill -0 "$pid" 2>/dev/null; then echo active; else echo inactive; fi ;;
  stop) kill -TERM -- "-$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done ;;
  *) echo "systemctl: unknown $1" >&2; exit 1 ;;
esac
`

/** As much of systemd-run: a command in a session of its own, with a limit of time, and what is to run after its end. */
const systemdRun = `#!/bin/bash
units=$(dirname -- "$0")/../units
while [ "$#" -gt 0 ]; do
  case $1 in
    --quiet | --collect) ;;
    --unit=*) unit=\${1#*=} ;;
    --property=RuntimeMaxSec=*) most=\${1##*=} ;;
    --property=ExecStopPost=*) after=\${1#--property=ExecStopPost=} ;;
    --) shift; break ;;
    *) echo "systemd-run: unknown $1" >&2; exit 1 ;;
  esac
  shift
done
if [ -e "$units/refuses" ]; then echo "Failed to start transient service unit" >&2; exit 1; fi
setsid env -i PATH="$PATH" bash -c '
  unit=$1 most=$2 after=$3
  shift 3
  echo "$$" >"$unit.new"
  mv "$unit.new" "$unit"
  trap : TERM
  timeout --foreground "$most" "$@"
  code=$?
  case $code in
    0) end="success exited 0" ;;
    143) end="success killed TERM" ;;
    124) end="timeout killed TERM" ;;
    *) if [ "$code" -gt 128 ]; then end="signal killed $code"; else end="exit-code exited $code"; fi ;;
  esac
  read -r result how status <<<"$end"
  SERVICE_RESULT=$result EXIT_CODE=$how EXIT_STATUS=$status $after
' bash "$units/$unit" "$most" "$after" "$@" </dev/null >/dev/null 2>&1 &
while [ ! -e "$units/$unit" ] || [ "$(cat "$units/$unit")" != "$!" ]; do sleep 0.05; done
`

/** Writes the two programs; returns their folder. Real ones need a machine that systemd has started. */
export async function installSystemd(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await mkdir(join(folder, 'units'))
  for (const [name, text] of [
    ['systemctl', systemctl],
    ['systemd-run', systemdRun],
  ] as const) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
  return bin
}
