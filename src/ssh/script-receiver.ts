import type { Sudo } from './ssh-host.ts'

/** Printed by the receiver when it is ready for the script: what a login shell prints before is not the script's. */
export const readyLine = 'hcloud-talos: ready for the script'

/**
 * What runs on the host: a bash that takes everything from its standard input, so that neither the script nor an argument
 * ever stands on a command line. It evaluates a script only when all of it has arrived, its own input among it, which is
 * kept in a file that has no name any more: a script never takes half an input for all of it, and need not read it.
 * From then on a process beside the script watches for one more byte, which ends all that the script started, through sudo
 * too; a connection that breaks ends nothing, since half a package installation is worse than one that nobody watches.
 * The watcher is no child of the script's bash: a bare `wait` would wait for it.
 *
 * One line without single quotes, backslashes and exclamation marks: every login shell takes it as it is.
 */
const receiver = [
  'export LC_ALL=C',
  'umask 022',
  `echo "${readyLine}"`,
  'read -r count length input || exit 97',
  'args=()',
  'while [ "$count" -gt 0 ]; do IFS= read -r -d "" arg || exit 97; args+=("$arg"); count=$((count - 1)); done',
  'IFS= read -r -N "$length" script || exit 97',
  'exec 3<&0 </dev/null',
  [
    'if [ "$input" -gt 0 ]',
    'then file=$(mktemp) && exec 4>"$file" <"$file" && rm -f -- "$file" || exit 97',
    'head -c "$input" <&3 >&4',
    '[ "$(wc -c </proc/self/fd/4)" -eq "$input" ] || exit 97',
    'exec 4>&-',
    'fi',
  ].join('; '),
  '( { read -r -N 1 -u 3 && kill -TERM 0; } >/dev/null 2>&1 & )',
  'exec 3<&-',
  `set -- "\${args[@]}"`,
  'set -euo pipefail',
  'eval "$script"',
].join('; ')

/** What sudo prints when it wants the password. */
export const sudoPrompt = '[hcloud-talos: password for sudo]'

/** The constant command that receives a script; by `sudo`, as root. */
export function receiverCommand(sudo: Sudo | undefined): string {
  const command = `bash -c '${receiver}' hcloud-talos`
  if (sudo === undefined) return `exec ${command}`
  return sudo.password === undefined
    ? `exec sudo -n -- ${command}`
    : `exec sudo -S -p "${sudoPrompt}" -- ${command}`
}

/** The byte that ends the script and what it started. */
export const stopByte = 'x'

/** What the receiver reads: how much of each, the arguments, the script, its input. */
export function framedScript(
  script: string,
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): Buffer {
  if ([script, ...args].some((text) => text.includes('\0'))) {
    throw new Error('no script and no argument can hold a NUL')
  }
  const text = Buffer.from(script)
  const values = Buffer.from(args.map((arg) => `${arg}\0`).join(''))
  const header = Buffer.from(`${args.length} ${text.length} ${input.length}\n`)
  return Buffer.concat([header, values, text, input])
}
