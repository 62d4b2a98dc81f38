/**
 * As much of systemd as hosts are asked for. A service is a file below `$state/started`, since it runs in the world; a
 * transient unit is a process, whose supervisor's id stands below `$state/units`.
 */
export const systemdPrograms: Readonly<Record<string, string>> = {
  systemctl: `
verb=$1
shift
now=
for unit; do [ "$unit" != --now ] || now=now; done
service=\${unit%.service}
file=$state/units/$unit
is_running() { [ -e "$file" ] && kill -0 "$(cat "$file")" 2>/dev/null; }
start() {
  date +%s >"$state/started/$service"
  call_world systemctl "$verb" "$service"
}
stop() {
  rm -f "$state/started/$service"
  call_world systemctl stop "$service"
}
case $verb in
  list-units) for each in "$state"/swap-units/*; do [ ! -e "$each" ] || echo "\${each##*/} $(cat "$each") active active -"; done ;;
  mask) for one; do [ "$one" = --now ] || [ "$one" = -- ] || echo masked >"$state/swap-units/$one"; done ;;
  daemon-reload) ;;
  is-system-running) if [ -e "$state/units/stopping" ]; then echo stopping; exit 1; else echo running; fi ;;
  is-enabled) if [ -e "$state/enabled/$service" ]; then echo enabled; else echo disabled; exit 1; fi ;;
  enable)
    touch "$state/enabled/$service"
    [ -z "$now" ] || start ;;
  disable)
    for one; do rm -f "$state/enabled/\${one%.service}"; done
    [ -z "$now" ] || stop ;;
  is-active)
    if [ ! -e "$state/started/$service" ]; then echo inactive; exit 3; fi
    # Without its config it fails, and is started again, for ever.
    if [ "$service" = kubelet ] && [ ! -e /var/lib/kubelet/config.yaml ]; then echo activating; exit 3; fi
    echo active ;;
  start) [ -e "$state/started/$service" ] || start ;;
  restart) start ;;
  stop)
    if is_running; then
      kill -TERM -- "-$(cat "$file")"
      while is_running; do /bin/sleep 0.1; done
    elif [ -e "$state/started/$service" ]; then
      stop
    fi ;;
  show)
    case "$*" in
      *ActiveState*) if is_running || [ -e "$state/started/$service" ]; then echo active; else echo inactive; fi ;;
      *ExecMainStartTimestamp*) date -d "@$(cat "$state/started/$service")" ;;
      *) echo "systemctl: unknown show $*" >&2; exit 1 ;;
    esac ;;
  *) echo "systemctl: unknown $verb" >&2; exit 1 ;;
esac`,
  'systemd-run': `
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
if [ -e "$state/units/refuses" ]; then echo "Failed to start transient service unit" >&2; exit 1; fi
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
' bash "$state/units/$unit" "$most" "$after" "$@" </dev/null >/dev/null 2>&1 &
while [ ! -e "$state/units/$unit" ] || [ "$(cat "$state/units/$unit")" != "$!" ]; do /bin/sleep 0.05; done`,
}

/** Each of them as a file of bash: `state` is the folder of its state, as bash writes it. */
export function systemdFile(text: string, state: string): string {
  return `#!/bin/bash\nstate=${state}\ncall_world() { :; }\n${text}\n`
}
