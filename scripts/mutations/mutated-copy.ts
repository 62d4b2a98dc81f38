import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'

/** What became of a mutation. `broken`: nothing was tried, since it does not fit or its tests did not run. */
export type Outcome =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'broken'; readonly why: string }

interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** How often a mutation's text stands in its file. */
export function occurrences(root: string, { file, find }: Mutation): number {
  try {
    return readFileSync(join(root, file), 'utf8').split(find).length - 1
  } catch {
    return 0
  }
}

/** A copy of a checkout, as it is now, in which lines are broken one after the other. Dispose of it in the end. */
export class MutatedCopy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hcloud-talos-mutate-'))

  constructor(root: string) {
    const files = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const listed = spawnSync('git', files, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
    for (const file of listed.stdout.split('\0')) {
      if (file === '' || file.startsWith('dist/')) continue
      cpSync(join(root, file), join(this.#folder, file))
    }
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** Breaks the line, runs its tests and puts it back. */
  async try(mutation: Mutation): Promise<Outcome> {
    const { file, find, replace } = mutation
    const count = occurrences(this.#folder, mutation)
    if (count !== 1) return { kind: 'broken', why: `its text stands ${count} times in ${file}` }
    const path = join(this.#folder, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.split(find).join(replace))
    try {
      return judge(await this.#runTests(mutation))
    } finally {
      writeFileSync(path, text)
    }
  }

  async #runTests({ tests, only }: Mutation): Promise<Report | undefined> {
    const output = join(this.#folder, 'mutation-report.json')
    rmSync(output, { force: true })
    const args = [
      join(this.#folder, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config=test/mutations/vitest.config.ts',
      '--root=.',
      '--reporter=json',
      `--outputFile=${output}`,
      ...(only === undefined ? [] : ['-t', only]),
      ...tests,
    ]
    const child = spawn(process.execPath, args, { cwd: this.#folder, stdio: 'ignore' })
    await new Promise((resolve) => child.once('close', resolve))
    try {
      return JSON.parse(readFileSync(output, 'utf8'))
    } catch {
      return undefined
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A file that cannot be loaded kills nothing: a mutation must break a sentence, not the syntax. */
function judge(report: Report | undefined): Outcome {
  if (report === undefined) return { kind: 'broken', why: 'its tests did not run' }
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const ran = results.filter(({ status }) => status === 'passed' || status === 'failed')
  if (ran.length === 0) {
    const failure = report.testResults.find(({ message }) => message !== '')?.message.split('\n')[0]
    return {
      kind: 'broken',
      why: `none of its tests ran${failure === undefined ? '' : `: ${failure}`}`,
    }
  }
  const failed = ran.find(({ status }) => status === 'failed')
  if (failed !== undefined) return { kind: 'killed', by: failed.fullName }
  const suite = report.testResults.find(({ status }) => status === 'failed')
  if (suite !== undefined) return { kind: 'killed', by: suite.message.split('\n')[0] ?? '' }
  return { kind: 'survived' }
}
