import { createHash } from 'node:crypto'
import { ClusterError } from '../lib/cluster-error.ts'
import { lastLines, runScript } from './run-script.ts'
import { describeHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

/** A file as it should be on a host. */
export interface RemoteFile {
  /** Absolute. */
  readonly path: string
  readonly content: string | Uint8Array
  /** Permissions: `0o600`. */
  readonly mode: number
  /** `root:root`; whoever writes it where absent. */
  readonly owner?: string
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
}

/**
 * Whoever reads the file sees the former one or the new one, also after a crash of the host: it is written under another
 * name, compared with its digest, flushed and then renamed. Names that a killed writer left are removed after an hour.
 */
export const writeFileScript = `
path=$1 mode=$2 owner=$3 digest=$4
folder=$(dirname -- "$path")
isOwned() {
  [ -z "$owner" ] || [ "$(stat -c %U:%G -- "$path")" = "$owner" ] || [ "$(stat -c %u:%g -- "$path")" = "$owner" ]
}
if [ -f "$path" ] && [ ! -L "$path" ] && [ "$(stat -c %a -- "$path")" = "$mode" ] && isOwned; then
  if [ "$(sha256sum <"$path")" = "$digest  -" ]; then
    cat >/dev/null
    echo unchanged
    exit 0
  fi
fi
find "$folder" -maxdepth 1 -type f -name '.hcloud-talos.??????????' -mmin +60 -delete
temporary=$(mktemp -- "$folder/.hcloud-talos.XXXXXXXXXX")
trap 'rm -f -- "$temporary"' EXIT
cat >"$temporary"
if [ "$(sha256sum <"$temporary")" != "$digest  -" ]; then
  echo "the content did not arrive as it was sent" >&2
  exit 1
fi
[ -z "$owner" ] || chown -- "$owner" "$temporary"
chmod -- "$mode" "$temporary"
sync -- "$temporary"
mv -fT -- "$temporary" "$path"
trap - EXIT
sync -- "$folder"
echo written
`

/**
 * Writes a file, binary or not, with its mode and owner, and returns whether that changed anything. Throws `script-failed`
 * with what the host printed; the former file is then as it was.
 *
 * For the second mode (hosts that exist), whose preparation consists of files.
 */
export async function writeFile(remote: RemoteHost, file: RemoteFile): Promise<boolean> {
  const { path, mode, owner = '', withinMs } = file
  const input = Buffer.from(file.content)
  const digest = createHash('sha256').update(input).digest('hex')
  const result = await runScript(remote, {
    title: `write ${path}`,
    text: writeFileScript,
    args: [path, mode.toString(8), owner, digest],
    input,
    withinMs,
    isRepeatable: true,
  })
  if (result.code === 0) return result.stdout.trim() !== 'unchanged'
  throw new ClusterError('script-failed', `cannot write ${path}`, {
    operation: `write ${path}`,
    target: describeHost(remote.host),
    evidence: lastLines(result.stderr),
    hint: 'Look at the reason above: the file is as it was. Make space or give the user the right to write there, then run again.',
  })
}
