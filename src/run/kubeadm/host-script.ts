import { ClusterError } from '../../lib/cluster-error.ts'
import { lastLines, runScript, type Script } from '../../ssh/run-script.ts'
import { describeHost } from '../../ssh/ssh-host.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

/** Runs a script that has to end well, and returns what it printed. Throws `script-failed` with the end of what it said. */
export async function scriptOutput(
  remote: RemoteHost,
  script: Script & { readonly hint?: string },
): Promise<string> {
  const { code, stdout, stderr } = await runScript(remote, script)
  if (code === 0) return stdout
  throw new ClusterError('script-failed', `${remote.host.name}: cannot ${script.title}`, {
    operation: script.title,
    target: describeHost(remote.host),
    evidence: [`exit code ${code}`, ...lastLines(stderr)],
    hint: script.hint ?? 'Look at the reason above on the host, then run again.',
  })
}
