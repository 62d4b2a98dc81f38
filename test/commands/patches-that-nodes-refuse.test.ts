import { afterAll, beforeAll, expect, test } from 'vitest'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { errorCodes } from '../../src/lib/error-codes.ts'
import type { Finding } from '../../src/lib/finding.ts'
import { FindingsError } from '../../src/lib/findings-error.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { type Bench, startBench } from './harness.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const clusterFile = (patches: string, version = 'v1.13.9') => ({
  path: 'cluster.yaml',
  text: `clusterName: demo
hetzner:
  region: hel1
kubernetes:
  version: 1.35.0
nodes:
  controlPlane: { count: 1, type: cx23 }
  workers: { count: 1, type: cx23 }
talos:
  version: ${version}
${patches}`,
})

/** Line, column, severity, path, message and hint of what is found. */
function show({ position, severity, path, message, hint }: Finding): string {
  return `${position?.line}:${position?.column} ${severity} ${path.join('.')}: ${message} -> ${hint}`
}

const text = clusterFile(`  patches:
    - |
      machine:
        kubelet:
          extraArg: {v: "2"}
        network:
          interfaces:
            - interface: eth5
              mtu: wide
      ---
      apiVersion: v1alpha1
      kind: VLANConfig
      name: eth5.5
      vlanID: 5
      parent: eth5
      ---
      apiVersion: v1alpha1
      kind: VLANConfig
      name: eth5.6
      parent: eth5
      vlanID: 4095
  workerPatches:
    - cluster:
        etcd:
          advertisedSubnets: [10.0.0.0/8]
    - machine:
        nodeTaints:
          dedicated: db:Never
        features: { kubernetesTalosAPIAccess: { enabled: true } }
`)

test('a plan says all that a node would refuse, with lines, and asks nobody', async () => {
  const requests = bench.sandbox.world.requests.length
  const thrown = await planCluster(bench.run(), { file: text, verb: 'apply' }).catch(
    (error: unknown) => error,
  )
  if (!(thrown instanceof FindingsError)) throw thrown
  expect([thrown.code, errorCodes[thrown.code]]).toEqual(['spec-invalid', 10])
  expect(bench.sandbox.world.requests.slice(requests)).toEqual([])
  const errors = thrown.findings.filter(({ severity }) => severity === 'error')
  expect(errors.map(show)).toEqual([
    '15:11 error talos.patches.0: machine.kubelet.extraArg is no field that Talos 1.13 knows -> Did you mean extraArgs?',
    '19:15 error talos.patches.0: machine.network.interfaces[0].mtu must be a whole number -> Correct the patch: it is merged into the config of the nodes of control-plane.',
    '31:7 error talos.patches.0: VLANConfig eth5.6: vlanID must be between 1 and 4094 -> Correct the patch: it is merged into the config of the nodes of control-plane.',
    '34:9 error talos.workerPatches.0: cluster.etcd is for control planes alone -> Correct the patch: it is merged into the config of the nodes of workers.',
    '38:11 error talos.workerPatches.1: machine.nodeTaints.dedicated must be value:effect or an effect, which is one of NoSchedule, PreferNoSchedule, NoExecute -> Correct the patch: it is merged into the config of the nodes of workers.',
    '39:21 error talos.workerPatches.1: machine.features.kubernetesTalosAPIAccess is for control planes alone -> Correct the patch: it is merged into the config of the nodes of workers.',
  ])
})

test('a field that another version of Talos has is told with that version', () => {
  const file = clusterFile(
    '  controlPlanePatches: [{ machine: { install: { grubUseUKICmdline: true } } }]\n',
    'v1.11.6',
  )
  const older = { ...file, text: file.text.replace('1.35.0', '1.34.0') }
  expect(() => readClusterFile(older)).toThrow(FindingsError)
})

test('what Talos takes with a warning is a warning', () => {
  const file = clusterFile(
    '  patches: [{ machine: { install: { extensions: [{ image: a }] } } }]\n',
  )
  const warnings = readClusterFile(file).findings.filter(({ path }) => path[1] === 'patches')
  expect(warnings.map(show)).toEqual([
    '11:37 warning talos.patches.0: machine.install.extensions does nothing any more -> Name extensions in talos.extensions of the cluster file: they are built into the image.',
  ])
})

const canary = 'canary0123456789canary'

test.each([
  ['a value', `[{machine: {env: {TOKEN: [${canary}]}}}]`],
  ['a key', `[{machine: {registries: {config: {a: {auth: {password: {${canary}: 1}}}}}}}]`],
  [
    'the key of a mirror',
    `[{machine: {registries: {mirrors: {"https://me:${canary}@a": {wrong: 1}}}}}]`,
  ],
  ['a mirror', `[{machine: {registries: {mirrors: {a: {endpoints: "https://me:${canary}@a"}}}}}]`],
  ['a kind', `[{apiVersion: v1alpha1, kind: "https://me:${canary}@a"}]`],
  ['a text in the place of a list', `"machine: {token: ${canary}}"`],
])('a secret in a patch that is wrong is not repeated: %s', (_, patches) => {
  const file = clusterFile(`  patches: ${patches}\n`)
  expect(() => readClusterFile(file)).toThrow(FindingsError)
  try {
    readClusterFile(file)
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error
    expect(JSON.stringify(error.findings)).not.toContain(canary)
  }
})

test.each([
  [
    'of the old shape',
    `  nameservers: [1.1.1.1]\n  patches: ['machine: {network: {nameservers: [9.9.9.9]}}']`,
    'talos.contract: v1.11',
  ],
  [
    'of the new shape',
    `  contract: v1.11\n  patches: ['{apiVersion: v1alpha1, kind: ResolverConfig, nameservers: []}']`,
    'talos.contract: v1.12',
  ],
])('a patch %s is named with its line and the contract that it fits', (_, lines, contract) => {
  const file = clusterFile(`${lines}\n`, 'v1.12.11')
  const errors = mistakesIn(file).map(show)
  expect(errors).toEqual([
    expect.stringContaining(
      `Rewrite it, or let the machine configs have the shape that it fits with \`${contract}\`.`,
    ),
  ])
  expect(errors[0]).toMatch(/^12:13 error talos\.patches\.0: /)
})

function mistakesIn(file: ReturnType<typeof clusterFile>): readonly Finding[] {
  try {
    readClusterFile(file)
    return []
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error
    return error.findings.filter(({ severity }) => severity === 'error')
  }
}
