import { generateX25519Identity } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withIdentities } from './key-bench.ts'
import { stateFiles } from './world-facts.ts'

const whole = { ...bare, state: { encrypt: 'all' } }
const file = clusterFile({ workers: 0 }, whole)
const signerOf = (secret: string) => deriveSigningKey({ secret }).signer
const patches = [{ machine: { sysctls: { 'net.core.somaxconn': '4096' } } }]
const changed = clusterFile({ workers: 0 }, { ...whole, talos: { version: 'v1.13.9', patches } })

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})
afterAll(() => bench[Symbol.asyncDispose]())

it('a config that is encrypted whole is planned, changed, and settled like any other', async () => {
  const files = await stateFiles(bench)
  const config = files['demo/nodes/demo-control-plane-1.sops.yaml'] ?? ''
  expect(config).toContain('sops:')
  expect(config).not.toContain('controlplane')
  const { plan } = await planCluster(bench.run(), { file: changed, verb: 'apply' })
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
    'update node/demo-control-plane-1',
  ])
  await applyCluster(bench.run(), { file: changed })
  expect((await planCluster(bench.run(), { file: changed, verb: 'apply' })).plan.changes).toEqual(
    [],
  )
})

it('an identity that opens nothing any more is named by plan and doctor, with who can open it', async () => {
  const context = withIdentities(bench.run(), [await generateX25519Identity()])
  const signer = [signerOf(bench.identity)]
  const named = { ...whole, state: { ...whole.state, signer, recipients: [bench.recipient] } }
  const signed = clusterFile({ workers: 0 }, named)
  await expect(planCluster(context, { file: signed, verb: 'apply' })).rejects.toMatchObject({
    code: 'state-undecryptable',
    message: expect.stringContaining(bench.recipient),
    hint: expect.stringContaining('hcloud-talos recover --replace-state'),
  })
  expect(await runDoctor(context, { file: signed })).toContainEqual({
    area: 'state',
    verdict: 'bad',
    message: expect.stringContaining('[state-undecryptable]'),
    fix: expect.stringContaining('Give the identity of one of its recipients'),
  })
})
