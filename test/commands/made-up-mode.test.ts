import { generateX25519Identity } from 'age-encryption'
import { beforeEach, expect, it } from 'vitest'
import { compareAddonsInMode, renderAddonsInMode } from '../../src/commands/modes/addons-in-mode.ts'
import { applyInMode } from '../../src/commands/modes/apply-in-mode.ts'
import { destroyInMode } from '../../src/commands/modes/destroy-in-mode.ts'
import { doctorInMode } from '../../src/commands/modes/doctor-in-mode.ts'
import { mintInMode } from '../../src/commands/modes/mint-in-mode.ts'
import { planInMode } from '../../src/commands/modes/plan-in-mode.ts'
import { restoreInMode } from '../../src/commands/modes/restore-in-mode.ts'
import { snapshotInMode } from '../../src/commands/modes/snapshot-in-mode.ts'
import { statusInMode } from '../../src/commands/modes/status-in-mode.ts'
import { upgradeInMode } from '../../src/commands/modes/upgrade-in-mode.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { parseIdentities } from '../../src/store/trust/identity.ts'
import { makeFolder, makeRemote, makeStore } from '../store/state-fixture.ts'
import { boxFile, Cupboard, madeUpMode } from './made-up-mode.ts'
import { madeUpRun } from './made-up-run.ts'

// A mode with neither Hetzner nor Talos (ADR 40): test/architecture.test.ts holds that nothing here loads either.
let cupboard: Cupboard
let remote: string
const identity = await generateX25519Identity()
const yes = async () => true

beforeEach(async () => {
  cupboard = new Cupboard()
  remote = await makeRemote()
})

const run = () => madeUpRun(remote, identity)

async function planned(boxes: number) {
  const { plan } = await planInMode(madeUpMode(cupboard), await run(), {
    file: boxFile(boxes),
    verb: 'apply',
  })
  return { plan, changes: plan.changes.map(({ action, key }) => `${action} ${key}`) }
}

async function apply(boxes: number) {
  return applyInMode(madeUpMode(cupboard), await run(), { file: boxFile(boxes) })
}

async function upgrade(boxes: number, version: string) {
  const file = boxFile(boxes, version)
  return upgradeInMode(madeUpMode(cupboard), await run(), { file })
}

async function access(boxes: number, hours: number) {
  const mode = madeUpMode(cupboard)
  return mintInMode(mode, await run(), { file: boxFile(boxes), hours }, mode.credentials)
}

async function snapshot(boxes: number) {
  const folder = await makeFolder()
  const input = { file: boxFile(boxes), to: `${folder}/` }
  return snapshotInMode(madeUpMode(cupboard), await run(), input)
}

async function restore(boxes: number, place: string) {
  const input = { file: boxFile(boxes), snapshot: place, discardEtcd: false, confirm: yes }
  return restoreInMode(madeUpMode(cupboard), await run(), input)
}

async function doctor(boxes: number): Promise<string[]> {
  const found = await doctorInMode(madeUpMode(cupboard), await run(), { file: boxFile(boxes) })
  return found.map(({ verdict, area, message }) => `${verdict} ${area}: ${message}`)
}

async function destroy(boxes: number) {
  return destroyInMode(madeUpMode(cupboard), await run(), { file: boxFile(boxes), confirm: yes })
}

async function state() {
  const identities = await parseIdentities(identity, new Redactor())
  return (await makeStore({ remote, identities })).read()
}

it('is planned without being touched, and applied as it was planned', async () => {
  const { changes } = await planned(2)
  expect([...cupboard.boxes.keys(), await state()]).toEqual([undefined])
  await apply(2)
  expect(cupboard.done.toSorted()).toEqual(changes.toSorted())
  expect([...cupboard.boxes.values()]).toEqual([
    { id: 1, isNode: true, version: '1.35.0' },
    { id: 2, isNode: true, version: '1.35.0' },
  ])
})

it('is written down, and remembered by who makes its machines', async () => {
  await apply(2)
  const generation = await state()
  expect(generation?.inventory.resources).toMatchObject({
    'server/demo-control-plane-1': { id: 1 },
    'server/demo-control-plane-2': { id: 2 },
  })
  expect(generation?.inventory.nodes.map(({ slot }) => slot)).toEqual([1, 2])
  expect(cupboard.anchor?.generation).toBe(generation?.manifest.generation)
})

it('shows no secret that the environment of a run gives', async () => {
  const context = await run()
  const environment = { ...process.env, HCLOUD_TALOS_SECRET_TILL: 'canary-of-the-till' }
  const given = { ...context, state: { ...context.state, environment } }
  await planInMode(madeUpMode(cupboard), given, { file: boxFile(1), verb: 'apply' })
  expect(context.redactor.redact('it is canary-of-the-till')).not.toContain('canary')
})

it('has nothing to do after an apply, and one machine more does only that', async () => {
  await apply(2)
  expect((await planned(2)).changes).toEqual([])
  const done = cupboard.done.length
  await apply(2)
  expect(cupboard.done).toHaveLength(done)
  await apply(3)
  expect(cupboard.done.slice(done)).toEqual([
    'create server/demo-control-plane-3',
    'create node/demo-control-plane-3',
  ])
})

it('goes on after a run that failed', async () => {
  cupboard.broken = 'demo-control-plane-2'
  await expect(apply(2)).rejects.toThrow('does not fit')
  cupboard.broken = undefined
  await apply(2)
  expect((await planned(2)).changes).toEqual([])
  expect(new Set(cupboard.done).size).toBe(cupboard.done.length)
})

it('is held by the rules that keep etcd alive', async () => {
  await apply(5)
  const { plan } = await planned(1)
  expect(plan.findings).toMatchObject([
    { severity: 'error', path: ['nodes', 'controlPlane', 'count'] },
  ])
  await expect(apply(1)).rejects.toThrow()
  expect(cupboard.boxes.size).toBe(5)
})

it('is upgraded as it was planned, by an upgrade alone, and goes on with what is left', async () => {
  await apply(3)
  const done = cupboard.done.length
  cupboard.broken = 'demo-control-plane-2'
  await expect(upgrade(3, '1.36.0')).rejects.toThrow('does not fit')
  cupboard.broken = undefined
  await upgrade(3, '1.36.0')
  expect(cupboard.done.slice(done).toSorted()).toEqual([
    'update kubelet/demo-control-plane-1',
    'update kubelet/demo-control-plane-2',
    'update kubelet/demo-control-plane-3',
  ])
  expect([...cupboard.boxes.values()].map(({ version }) => version)).toEqual(
    Array(3).fill('1.36.0'),
  )
  const { plan } = await upgrade(3, '1.36.0')
  expect(plan.changes).toEqual([])
  expect(cupboard.anchor?.generation).toBe((await state())?.manifest.generation)
})

it('shows its status before the first apply, in the middle of it and after it', async () => {
  const status = async () => {
    const found = await statusInMode(madeUpMode(cupboard), await run(), { file: boxFile(2) })
    const nodes = found.nodes.map(({ machine, ready }) => `${machine.state} ${ready}`)
    return {
      begun: found.begun,
      runs: found.kubernetes.runs,
      left: found.pending.apply.length,
      nodes,
    }
  }
  const missing = 'missing null'
  expect(await status()).toEqual({ begun: false, runs: null, left: 4, nodes: [missing, missing] })
  cupboard.broken = 'demo-control-plane-2'
  await expect(apply(2)).rejects.toThrow('does not fit')
  expect((await status()).nodes).toContain(missing)
  cupboard.broken = undefined
  await apply(2)
  expect(await status()).toMatchObject({
    begun: true,
    left: 0,
    nodes: ['running true', 'running true'],
  })
})

it('is no cluster to upgrade before its first apply', async () => {
  await expect(upgrade(1, '1.36.0')).rejects.toMatchObject({ code: 'cluster-unknown' })
})

it('lets people in, whose access is recorded where it lives long, and by its state alone where nobody can ask', async () => {
  await apply(2)
  const boxes = ['demo-control-plane-1', 'demo-control-plane-2']
  const minted = await access(2, 24 * 90)
  expect(JSON.parse(minted.kubeconfig)).toEqual({ cluster: 'demo', boxes })
  const facts = async () => (await state())?.journal.filter(({ fact }) => fact === 'access-minted')
  expect(await facts()).toMatchObject([{ detail: { what: 'kubeconfig', hours: '2160' } }])
  expect(cupboard.anchor?.generation).toBe((await state())?.manifest.generation)
  cupboard.isOpen = false
  expect(JSON.parse((await access(2, 24 * 90)).kubeconfig)).toEqual({ cluster: 'demo', boxes })
  expect(await facts()).toHaveLength(1)
})

it('is brought back from a snapshot once it is lost, and not while it lives', async () => {
  await apply(2)
  const { place, node } = await snapshot(2)
  expect([node, place.endsWith('.age')]).toEqual(['demo-control-plane-1', true])
  await expect(restore(2, place)).rejects.toMatchObject({ code: 'etcd-alive' })
  cupboard.boxes = new Map()
  const done = cupboard.done.length
  const { plan, restored, left } = await restore(2, place)
  expect([restored, left]).toEqual([true, 0])
  expect(cupboard.done.slice(done)).toEqual(plan.creates.map(({ key }) => `create ${key}`))
  expect(cupboard.restored).toBe('demo-control-plane-1, demo-control-plane-2')
  expect((await planned(2)).changes).toEqual([])
  expect(cupboard.anchor?.generation).toBe((await state())?.manifest.generation)
})

it('is looked at by a doctor, who finds what is missing, and what could not be looked at', async () => {
  await apply(2)
  const [healthy] = [await doctor(2)]
  expect(healthy).toContain('good changes: the cluster matches its file')
  expect(healthy).toContain('good nodes: demo-control-plane-2 answers')
  cupboard.boxes = new Map([...cupboard.boxes].slice(0, 1))
  const found = await doctor(2)
  expect(found).toContain('bad servers: demo-control-plane-2 is gone')
  expect(found.filter((one) => one.startsWith('weak changes'))).toHaveLength(1)
  cupboard.isOpen = false
  const blind = await doctor(2)
  expect(blind).toContain('bad servers: the cupboard is locked')
  // Whoever does not answer says nothing of the state either.
  expect(blind.find((one) => one.includes(' state: '))).toMatch(/^unknown /)
  expect(blind).toContain('unknown servers: the boxes were not looked at')
})

it('its addons are shown, and compared with what runs', async () => {
  const mode = madeUpMode(cupboard)
  const input = (version?: string) => ({ file: boxFile(2, version), names: ['label'] })
  const [shown] = await renderAddonsInMode(mode, await run(), input())
  expect(shown?.objects).toMatchObject([{ kind: 'Label', text: '1.35.0' }])
  await expect(compareAddonsInMode(mode, await run(), input())).rejects.toMatchObject({
    code: 'cluster-unknown',
  })
  await apply(2)
  const drifts = async (version?: string) =>
    (await compareAddonsInMode(mode, await run(), input(version))).map((one) => one.drifts.length)
  expect([await drifts(), await drifts('1.36.0')]).toEqual([[0], [2]])
})

it('is destroyed, each node before its machine, and its state after all of them', async () => {
  await apply(2)
  const done = cupboard.done.length
  const { destroyed } = await destroy(2)
  expect([destroyed, cupboard.boxes.size, await state()]).toEqual([true, 0, undefined])
  const order = cupboard.done.slice(done)
  expect(order).toHaveLength(4)
  for (const slot of [1, 2]) {
    const at = (kind: string) => order.indexOf(`delete ${kind}/demo-control-plane-${slot}`)
    expect(at('node')).toBeLessThan(at('server'))
  }
  await expect(destroy(2)).rejects.toMatchObject({ code: 'cluster-unknown' })
})
