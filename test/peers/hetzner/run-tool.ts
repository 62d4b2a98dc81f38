import { execFile } from 'node:child_process'

export interface ToolResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs someone else's program to its end; throws only where it cannot be started at all. */
export function runTool(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr })
      if (typeof error.code !== 'number') return reject(error)
      resolve({ code: error.code, stdout, stderr })
    })
  })
}

/** Runs it and throws, with all that it said, unless it ended well. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await runTool(command, args, options)
  if (code === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
}
