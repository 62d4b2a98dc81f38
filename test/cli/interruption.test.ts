import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'

let bench: CommandBench
beforeAll(async () => {
  bench = await startCommandBench()
  const { faults } = bench.sandbox.world
  // The builder of the image never answers, and would take for ever to go.
  faults.sshDelayMs = 600_000
  faults.injectAction({ command: 'delete_server', outcome: 'stuck', times: 100 })
})
afterAll(() => bench[Symbol.asyncDispose]())

/** What hangs is killed: GitHub does so after 7.5 seconds, on a machine with nothing else to do. */
const patienceMs = 20_000

/** Applies a cluster of its own and does something as soon as its image is being built. */
async function applyAndThen(name: string, act: (child: ChildProcess) => void) {
  const file = await bench.write(`${name}.yaml`, clusterText({ name }))
  let killer: NodeJS.Timeout | undefined
  const ended = await bench.run(['apply', '--yes', '--config', file], {
    onStart(child) {
      let output = ''
      const listen = (text: string) => {
        output += text
        if (!output.includes('into rescue')) return
        child.stderr?.off('data', listen)
        killer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
        act(child)
      }
      child.stderr?.on('data', listen)
    },
  })
  clearTimeout(killer)
  return ended
}

it.concurrent('an interrupted apply gives back what it holds, and says how to go on', async () => {
  const { code, stderr } = await applyAndThen('patient', (child) => child.kill('SIGINT'))
  expect(code, stderr).toBe(130)
  expect(stderr).toContain('ending in order')
  expect(stderr).toMatch(/^error interrupted: .*\n {2}hint: Run it again/m)
  const { project, refs } = await bench.outside()
  expect(refs.filter((ref) => ref.includes('lock/patient'))).toEqual([])
  expect(project['firewalls']?.filter((name) => /patient.*access/.test(name))).toEqual([])
})

it.concurrent('a second interruption ends it at once', async () => {
  const { code, signal } = await applyAndThen('hasty', (child) => {
    child.stderr?.on('data', (text: string) => {
      if (text.includes('ending in order')) child.kill('SIGTERM')
    })
    child.kill('SIGINT')
  })
  expect({ code, signal }).toEqual({ code: 130, signal: null })
})
