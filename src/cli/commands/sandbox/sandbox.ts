import { defineCommand } from '../../command.ts'
import { choiceOr, flag, text, without } from '../../setting.ts'

/** Runs a simulated outside until it is interrupted, or plays a recording against one. */
export const sandbox = defineCommand({
  name: 'sandbox',
  description: 'start a simulated outside, print its endpoints as one line of JSON, stay',
  examples: [
    { purpose: 'stays until Ctrl-C', line: '' },
    { purpose: 'keep its git repository', line: '--folder /tmp/sandbox' },
    { purpose: 'where it differs from what was recorded', line: '--compare recording.jsonl' },
  ],
  takes: {
    folder: text(
      '--folder <folder>',
      'where its git repository goes; a temporary one when not given',
    ),
    latencies: choiceOr(
      '--latencies <pace>',
      'how long things take',
      ['none', 'realistic'],
      'none',
    ),
    compare: without(
      text(
        '--compare <recording>',
        'play what --record wrote against a new one, report where answers differ, end',
      ),
      'folder',
      'latencies',
    ),
    json: flag('--json', 'with --compare: print the result as JSON on standard output'),
  },
  async run({ terminal, path, signal }, { folder, latencies, compare: recording, json }) {
    if (recording !== undefined) {
      const { compareRecording } = await import('./compare-recording.ts')
      await compareRecording(terminal, { recording, json, path, signal })
      return 0
    }
    const announce = (line: string) => terminal.print(`${line}\n`)
    const { runSandbox } = await import('./run-sandbox.ts')
    await runSandbox({ folder, latencies, path, signal, announce })
    return 0
  },
})
