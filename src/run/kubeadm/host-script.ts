import { failedScript } from '../../ssh/failed-script.ts'
import { runScript, type Script } from '../../ssh/run-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

/** Runs a script that has to end well, and returns what it printed. Throws `script-failed` with the end of what it said. */
export async function scriptOutput(
  remote: RemoteHost,
  script: Script & { readonly hint?: string },
): Promise<string> {
  const { code, stdout, stderr } = await runScript(remote, script)
  if (code === 0) return stdout
  throw failedScript(remote, { title: script.title, code, stderr, hint: script.hint })
}
