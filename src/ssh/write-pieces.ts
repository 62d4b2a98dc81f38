import { failedScript } from './failed-script.ts'
import { runScript } from './run-script.ts'
import type { RemoteHost } from './ssh-pool.ts'

/** How much is sent at once, in bytes: that much is sent again where a connection breaks. */
const pieceBytes = 4 * 1024 * 1024
/** How long one piece may take, in milliseconds. */
const pieceMs = 10 * 60_000

/** Safe to run again: a piece that was written half, or twice, is cut off before. */
const writePieceScript = `
path=$1 offset=$2 end=$3
umask 077
if [ "$offset" -eq 0 ]; then
  mkdir -p -- "$(dirname -- "$path")"
  rm -f -- "$path"
  : >"$path"
fi
size=$(stat -c %s -- "$path")
if [ "$size" -lt "$offset" ]; then
  echo "the file has $size bytes where $offset were written" >&2
  exit 1
fi
truncate -s "$offset" -- "$path"
cat >>"$path"
size=$(stat -c %s -- "$path")
if [ "$size" -ne "$end" ]; then
  echo "the file has $size bytes where $end were written" >&2
  exit 1
fi
`

/**
 * Writes a file that is larger than memory should hold, readable by root alone, piece by piece as it comes. A
 * reader sees by its content whether all of it is there. Throws `script-failed`.
 */
export async function writePieces(
  remote: RemoteHost,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  let offset = 0
  let held: Uint8Array[] = []
  let size = 0
  const write = async () => {
    const input = Buffer.concat(held)
    await writePiece(remote, { path, offset, input })
    offset += input.length
    held = []
    size = 0
  }
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size >= pieceBytes) await write()
  }
  if (size > 0 || offset === 0) await write()
}

async function writePiece(
  remote: RemoteHost,
  { path, offset, input }: { path: string; offset: number; input: Buffer },
): Promise<void> {
  const title = `write ${path}`
  const { code, stderr } = await runScript(remote, {
    title,
    text: writePieceScript,
    args: [path, String(offset), String(offset + input.length)],
    input,
    withinMs: pieceMs,
    isRepeatable: true,
  })
  if (code === 0) return
  const hint = 'Look at the reason above: make space on the host, then run again.'
  throw failedScript(remote, { title, code, stderr, hint })
}
