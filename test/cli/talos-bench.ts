import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect } from 'vitest'
import type { CommandParts } from '../../src/cli/command-parts.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { createProgram } from '../../src/cli/whole-program.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { silentProgress } from '../silent-progress.ts'

/** What a verb said, and how it ended. */
export interface TypedOutput {
  readonly stdout: string
  readonly stderr: readonly string[]
  /** What it threw. */
  readonly error: unknown
}

export interface TalosRun {
  readonly context: RunContext
  /** What a person at the terminal answers; where absent, nobody is there. */
  readonly answer?: string
  /** Hears each line as it is printed. */
  readonly onPrint?: (text: string) => void
}

/** Types `hcloud-talos talos <words>` in this process. */
export async function typeTalos(words: readonly string[], run: TalosRun): Promise<TypedOutput> {
  const { context, answer, onPrint } = run
  const output = { stdout: '', stderr: [] as string[] }
  const terminal: Terminal = {
    progress: silentProgress,
    questions: answer === undefined ? 'nobody' : 'person',
    paint: (_, text) => text,
    print(text) {
      output.stdout += context.redactor.redact(text)
      onPrint?.(text)
    },
    printBytes(piece) {
      this.print(Buffer.from(piece).toString('utf8'))
    },
    report: (text) => output.stderr.push(text),
    async ask(question) {
      output.stderr.push(question)
      return answer ?? ''
    },
  }
  const openContext = async () => ({ ...context, [Symbol.asyncDispose]: async () => undefined })
  const parts: CommandParts = {
    terminal,
    openContext,
    openGithub: async () => undefined,
    signal: context.signal,
    path: '',
    program: () => program,
  }
  const program = createProgram(async (command, typed) => {
    await command.run(parts, typed)
  })
  overrideExits(program)
  const error = await program.parseAsync(['node', 'hcloud-talos', 'talos', ...words]).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { ...output, error }
}

function overrideExits(command: Command): void {
  command.exitOverride()
  for (const each of command.commands) overrideExits(each)
}

/** A cluster that was applied, and a folder with its file and a patch for verbs that take one. */
export interface VerbBench extends AsyncDisposable {
  readonly bench: Bench
  readonly folder: string
  /** Types words with the cluster's file. */
  type(words: string, run?: Partial<TalosRun>): Promise<TypedOutput>
}

export async function startVerbBench(workers: number): Promise<VerbBench> {
  const file = clusterFile({ workers }, { addons: bare['addons'] ?? {} })
  const bench = await startBench()
  const folder = await mkdtemp(join(tmpdir(), 'talos-verbs-'))
  const config = join(folder, 'cluster.yaml')
  await writeFile(config, file.text)
  await writeFile(join(folder, 'patch.yaml'), 'machine:\n  sysctls:\n    vm.swappiness: "10"\n')
  await applyCluster(bench.run(), { file })
  return {
    bench,
    folder,
    type: (words, run = {}) =>
      typeTalos([...words.split(' '), '--config', config], { context: bench.run(), ...run }),
    async [Symbol.asyncDispose]() {
      expect(bench.sandbox.world.contractErrors).toEqual([])
      await bench[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
