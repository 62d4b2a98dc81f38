import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { runScript, type ScriptResult } from '../../ssh/run-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

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
 * was downloaded (64 hex digits). Throws `image-build-failed` with the end of what the tools printed.
 */
export async function writeImage(
  rescue: RemoteHost,
  url: string,
  { progress, withinMs }: { progress: PhaseProgress; withinMs: number },
): Promise<string> {
  progress.step(`writing ${url}`)
  const { code, stdout, stderr } = await runWrite(rescue, url, withinMs)
  const digest = /^digest ([0-9a-f]{64})$/m.exec(stdout)?.[1]
  if (code === 0 && digest !== undefined) return digest
  const printed = `${stdout}\n${stderr}`.trim().split('\n').slice(-4).join(' / ')
  throw notWritten(`the image could not be written (exit code ${code}): ${printed}`, url)
}

/** Not repeated on another connection: the former one may still be writing to the same disk. */
async function runWrite(rescue: RemoteHost, url: string, withinMs: number): Promise<ScriptResult> {
  try {
    return await runScript(rescue, {
      title: 'write the Talos image',
      text: writeScript,
      args: [url, device],
      withinMs,
    })
  } catch (error) {
    if (!isClusterError(error, 'ssh-interrupted', 'script-failed', 'script-timeout')) throw error
    throw notWritten(`the image was not written: ${error.message}`, url, error)
  }
}

function notWritten(message: string, url: string, cause?: unknown): ClusterError {
  return new ClusterError('image-build-failed', message, {
    operation: 'write the Talos image',
    target: url,
    hint: 'Run again: nothing was kept. If it fails again, check whether the factory has this version and schematic.',
    cause,
  })
}
