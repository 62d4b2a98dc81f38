/**
 * A sandbox of real Talos nodes for this checkout: `npm run sandbox:real`, as root. Prints one line of JSON as
 * `hcloud-talos sandbox` does, and stays until it is interrupted.
 */
import { RigError } from '../rig/rig-error.ts'
import { runRealSandbox } from '../rig/run-real-sandbox.ts'
import { isClusterError } from '../src/lib/cluster-error.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)))
}
try {
  await runRealSandbox({
    folder: undefined,
    latencies: 'none',
    path: process.env['PATH'] ?? '',
    environment: process.env,
    signal: interrupted.signal,
    announce: (line) => console.log(line),
    log: (line) => console.error(line),
  })
} catch (error) {
  if (!(error instanceof RigError) && !isClusterError(error)) throw error
  console.error(`${error.message}\n${error.hint ?? ''}`)
  process.exitCode = 1
}
