import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** git and helm that write down what they are called with, and do it. */
export interface RecordingTools {
  /** Put first on the PATH. */
  readonly folder: string
  readonly helm: string
  /** All arguments so far. */
  argv(): Promise<string>
}

/** Makes them in a folder; `path` is where the real git is found, `helm` the real helm. */
export async function makeRecordingTools(
  folder: string,
  { path, helm }: { readonly path: string; readonly helm: string },
): Promise<RecordingTools> {
  const log = join(folder, 'argv')
  await mkdir(folder)
  await writeFile(log, '')
  const record = (command: string) =>
    `#!/bin/sh\necho "$@" >>'${log}'\nPATH='${path}'\nexec ${command} "$@"\n`
  for (const [name, command] of [
    ['git', 'git'],
    ['helm', `'${helm}'`],
  ] as const) {
    await writeFile(join(folder, name), record(command))
    await chmod(join(folder, name), 0o755)
  }
  return { folder, helm: join(folder, 'helm'), argv: () => readFile(log, 'utf8') }
}
