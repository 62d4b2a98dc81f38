import { ClusterError } from '../lib/cluster-error.ts'
import { formatBytes } from '../lib/format-bytes.ts'
import { AllOutput } from './all-output.ts'
import { lastLines, runInto } from './run-script.ts'
import { describeHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

export interface ReadFileOptions {
  /** A larger file is a failure. */
  readonly mostBytes: number
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
}

/** The exit code that means that there is no such file: anything else that went wrong is unknown, and no absence. */
const absent = 44

export const readFileScript = `
path=$1 most=$2
if ! reason=$(stat -L -- "$path" 2>&1 >/dev/null); then
  case $reason in *': No such file or directory') exit ${absent} ;; esac
  printf '%s\\n' "$reason" >&2
  exit 1
fi
if [ ! -f "$path" ]; then
  echo "it is no file" >&2
  exit 1
fi
head -c "$((most + 1))" -- "$path"
`

/**
 * The bytes of a file; undefined where it is not there. Throws `script-failed` where it cannot be read or is larger.
 *
 * For the second mode (hosts that exist), which compares what is on a host with what should be.
 */
export async function readFile(
  remote: RemoteHost,
  path: string,
  { mostBytes, withinMs }: ReadFileOptions,
): Promise<Buffer | undefined> {
  const script = {
    title: `read ${path}`,
    text: readFileScript,
    args: [path, String(mostBytes)],
    withinMs,
    isRepeatable: true,
  }
  const { code, stdout, stderr } = await runInto(remote, script, () => new AllOutput(mostBytes + 1))
  if (code === absent) return undefined
  const content = stdout.bytes()
  if (code === 0 && content.length <= mostBytes) return content
  const reason = code === 0 ? `it is larger than ${formatBytes(mostBytes)}` : 'see below'
  throw new ClusterError('script-failed', `cannot read ${path}: ${reason}`, {
    operation: script.title,
    target: describeHost(remote.host),
    evidence: lastLines(stderr.text()),
    hint: 'Look at the file on the host, and at the rights of the user that logs in.',
  })
}
