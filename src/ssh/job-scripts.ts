/** What every script about a job begins with: where its folder is, and how its unit is called. */
const jobPlace = `
base=$1 name=$2
shift 2
unit=hcloud-talos-$name.service
folder=$base/$name
`

/** One at a time: what is asked of systemd before is old when the lock is had. */
const lockJob = `
mkdir -p -- "$base"
exec 8>"$base/$name.lock"
flock 8
`

/** What systemd knows of a job's unit. */
const jobState = `
state=$(systemctl show --property=ActiveState --value -- "$unit")
case $state in
  active | activating | deactivating | reloading) isRunning=yes ;;
  *) isRunning=no ;;
esac
`

/** Runs within the unit: leaves a mark that it started, then becomes the job. */
export const runJobScript = `
export LC_ALL=C HOME=\${HOME:-/root}
folder=$(dirname -- "$0")
exec >"$folder/log" 2>&1 </dev/null
echo started >"$folder/started"
sync -- "$folder/started"
arguments=()
[ ! -e "$folder/arguments" ] || mapfile -d '' -t arguments <"$folder/arguments"
rm -f -- "$folder/arguments"
set -- "\${arguments[@]}"
set -euo pipefail
. "$folder/script"
`

/**
 * Runs when the unit has ended, however it ended: systemd says how. While the host shuts down, a job that did not end well
 * was most likely ended by that: it has no end then, as if the host had been switched off.
 */
export const endJobScript = `
folder=$(dirname -- "$0")
if [ "$SERVICE_RESULT $EXIT_CODE $EXIT_STATUS" != "success exited 0" ]; then
  if [ "$(systemctl is-system-running)" = stopping ]; then
    rm -f -- "$folder/script" "$folder/arguments"
    exit 0
  fi
fi
printf '%s %s %s\\n' "$SERVICE_RESULT" "$EXIT_CODE" "$EXIT_STATUS" >"$folder/end.new"
rm -f -- "$folder/script" "$folder/arguments"
sync -- "$folder/end.new"
mv -f -- "$folder/end.new" "$folder/end"
`

/**
 * Starts a job that was not started: its script on standard input, its arguments after the first five. Prints what it
 * found: `started`, `running`, `ended` or `lost`. Exit code 66 is another job of that name that still runs, 67 a script
 * of which only a part arrived.
 */
export const startJobScript = `
umask 077
${jobPlace}
seconds=$1 digest=$2 size=$3 run=$4 end=$5
shift 5
${lockJob}
${jobState}
isSame=no
if [ -e "$folder/digest" ] && [ "$(cat -- "$folder/digest")" = "$digest" ]; then isSame=yes; fi
if [ "$isRunning" = yes ]; then
  [ "$isSame" = yes ] || exit 66
  echo running
  exit 0
fi
if [ "$isSame" = yes ] && [ -e "$folder/end" ]; then
  echo ended
  exit 0
fi
if [ "$isSame" = yes ] && [ -e "$folder/started" ]; then
  echo lost
  exit 0
fi
rm -rf -- "$folder"
mkdir -- "$folder"
cat >"$folder/script"
if [ "$(stat -c %s -- "$folder/script")" != "$size" ]; then
  rm -rf -- "$folder"
  exit 67
fi
printf '%s' "$run" >"$folder/run"
printf '%s' "$end" >"$folder/finish"
[ "$#" -eq 0 ] || printf '%s\\0' "$@" >"$folder/arguments"
printf '%s\\n' "$digest" >"$folder/digest"
sync
if ! systemd-run --quiet --collect --unit="$unit" --property=RuntimeMaxSec="$seconds" \\
  --property=ExecStopPost="/bin/bash $folder/finish" -- /bin/bash "$folder/run" 8>&-; then
  # It may have been started all the same, with an answer that was lost.
  ${jobState.trim().replaceAll('\n', '\n  ')}
  if [ "$isRunning" = no ] && [ ! -e "$folder/started" ]; then
    rm -rf -- "$folder"
    exit 1
  fi
fi
echo started
`

/**
 * Prints a line with the state of a job and how it ended, a line with the size of its log, and a piece of the log. Whether
 * the unit runs is asked first: it may end in between, and is then still running for this time.
 */
export const showJobScript = `
${jobPlace}
${jobState}
offset=$1 most=$2
if [ "$isRunning" = yes ]; then
  echo running
elif [ -e "$folder/end" ]; then
  echo "ended $(cat -- "$folder/end")"
elif [ -e "$folder/started" ]; then
  echo lost
else
  echo absent
fi
if [ ! -e "$folder/log" ]; then
  echo 0
  exit 0
fi
stat -c %s -- "$folder/log"
dd if="$folder/log" iflag=skip_bytes,count_bytes skip="$offset" count="$most" bs=64K status=none
`

/** Ends a job where it runs, and forgets it. */
export const removeJobScript = `
${jobPlace}
${lockJob}
${jobState}
[ "$isRunning" = no ] || systemctl stop -- "$unit"
rm -rf -- "$folder"
`
