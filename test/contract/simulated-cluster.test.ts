import { afterAll, beforeAll, expect } from 'vitest'
import { type CommandBench, startCommandBench } from '../cli/command-bench.ts'
import { realFile } from '../real/real-file.ts'
import { clusterContract } from './cluster-contract.ts'

let bench: CommandBench
beforeAll(async () => {
  bench = await startCommandBench()
  await bench.write(
    'cluster.yaml',
    realFile({ controlPlanes: 1, workers: 1, admit: ['127.0.0.1/32'] }),
  )
  const { code, stderr } = await bench.run(['apply', '--yes'])
  expect(code, stderr).toBe(0)
  // It asks a worker to begin etcd, which refuses.
  bench.sandbox.world.judge.expect('written-down-first', 'the contract calls nodes by hand')
})
afterAll(() => bench[Symbol.asyncDispose]())

clusterContract(() => ({ bench, controlPlane: 'demo-control-plane-1', worker: 'demo-pool-1' }))
