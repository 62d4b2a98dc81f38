import { expect, test } from 'vitest'
import type { Change } from '../../src/plan/change.ts'
import type { Inventory, InventoryNode } from '../../src/plan/inventory.ts'
import {
  guardContract,
  guardContractInUpgrade,
} from '../../src/planner/hetzner-talos/guard-contract.ts'
import { withKeptContract } from '../../src/talos/kept-contract.ts'
import { clusterSpec } from '../plan/specs.ts'

const [first, second] = ['demo-workers-1', 'demo-workers-2'] as const

const change: Change = {
  key: `node/${first}`,
  action: 'update',
  before: undefined,
  after: undefined,
  needs: [],
  fields: [],
  risk: 'reboot',
  reason: '',
}

interface Seen {
  /** The contract that the file names. */
  readonly contract?: string
  readonly recorded?: readonly Partial<InventoryNode>[]
  /** What the nodes report to Kubernetes. */
  readonly runs?: readonly string[]
  /** Whether they are up. */
  readonly isCurrent?: boolean
  readonly wanted?: readonly string[]
  readonly actions?: Readonly<Record<string, Change['action']>>
}

function seen({
  contract,
  recorded = [{}, {}],
  runs,
  isCurrent = true,
  wanted = [first, second],
}: Seen) {
  const nodes = recorded.map((more, index): InventoryNode => {
    const slot = index + 1
    const place = { name: `demo-workers-${slot}`, slot, privateIp: `10.0.64.${slot}` }
    const given = { configDigest: 'd', talosVersion: 'v1.14.1', contract: 'v1.13' }
    return { role: 'worker', pool: 'workers', ...place, ...given, ...more }
  })
  const inventory: Inventory = {
    clusterName: 'demo',
    uid: '0123456789abcdef',
    nodes,
    addons: {},
    bootstrapped: true,
  }
  const talos = clusterSpec({}).talos
  const spec = clusterSpec({
    talos: { ...talos, version: 'v1.14.1', ...(contract && { contract }) },
  })
  const versions = new Map(
    runs?.map((version, index) => [
      `demo-workers-${index + 1}`,
      { isCurrent, talos: version, kubelet: 'v1.36.3' },
    ]),
  )
  return {
    spec: withKeptContract(spec, inventory),
    generation: { inventory },
    nodes: wanted.map((name) => ({ name })),
    ...(runs && { running: { versions } }),
  }
}

function findingsOf(view: Seen) {
  const changes = Object.entries(view.actions ?? {}).map(
    ([name, action]): Change => ({ ...change, key: `node/${name}`, action }),
  )
  return guardContract(seen(view), changes).map(
    ({ severity, message, hint }) => `${severity}: ${message}. ${hint}`,
  )
}

const moved = { contract: 'v1.14' }

test('a move waits for a node that is recorded with an older Talos, or that runs one', () => {
  expect(findingsOf({ ...moved, runs: ['v1.14.1', 'v1.14.0'] })).toEqual([])
  expect(findingsOf(moved)).toEqual([])
  const upgrade = 'Write `talos.contract: v1.13`, run `hcloud-talos upgrade`, and change it then.'
  const cannot = 'error: the machine configs cannot move from the contract v1.13 to v1.14 yet'
  expect(findingsOf({ ...moved, recorded: [{}, { talosVersion: 'v1.13.9' }] })).toEqual([
    `${cannot}: ${second} runs Talos v1.13.9, which cannot read them. ${upgrade}`,
  ])
  expect(findingsOf({ ...moved, runs: ['v1.13.9', 'v1.14.1'] })).toEqual([
    `${cannot}: ${first} runs Talos v1.13.9, which cannot read them. Run \`hcloud-talos talos rollback -n ${first}\`, which boots its newer Talos, or replace it with \`hcloud-talos apply --replace ${first}\`.`,
  ])
  // Of a node that cannot be asked, what is recorded counts.
  expect(
    findingsOf({ ...moved, recorded: [{}, { talosVersion: 'v1.13.9' }], runs: ['v1.14.1'] }),
  ).toHaveLength(1)
})

test('a move that was cut off, or that was done, waits for the node that somebody rolled back', () => {
  const recorded = [moved, {}]
  for (const file of [moved, {}]) {
    expect(findingsOf({ ...file, recorded, runs: ['v1.14.1', 'v1.13.9'] })).toEqual([
      expect.stringContaining(
        `error: the machine configs cannot have the contract v1.14 everywhere: ${second} runs Talos v1.13.9`,
      ),
    ])
  }
  const done = { recorded: [moved, moved], runs: ['v1.14.1', 'v1.13.9'] }
  expect(findingsOf(done)).toEqual([])
  expect(findingsOf({ ...done, actions: { [second]: 'update' } })).toEqual([
    expect.stringContaining('error: '),
  ])
})

test('what a node that is not up ran before says nothing of what it runs', () => {
  expect(findingsOf({ ...moved, runs: ['v1.13.9', 'v1.13.9'], isCurrent: false })).toEqual([])
})

test('a node that somebody rolled back is changed as before where its Talos reads what it is given', () => {
  const recorded = [{ talosVersion: 'v1.13.9' }, { talosVersion: 'v1.13.9' }]
  const actions = { [second]: 'update' } as const
  expect(findingsOf({ recorded, runs: ['v1.13.9', 'v1.12.11'], actions })).toEqual([])
  // 1.12 brought documents of its own.
  expect(findingsOf({ recorded, runs: ['v1.13.9', 'v1.11.6'], actions })).toEqual([
    expect.stringContaining(`${second} runs Talos v1.11.6, which cannot read them`),
  ])
})

test('a node that is replaced or leaves is waited for by nobody', () => {
  const asked = { ...moved, runs: ['v1.14.1', 'v1.13.9'] }
  expect(findingsOf({ ...asked, actions: { [second]: 'replace' } })).toEqual([])
  expect(findingsOf({ ...asked, wanted: [first] })).toEqual([])
})

test('a node in the middle of an upgrade keeps the contract that it reads', () => {
  const recorded = [moved, { talosVersion: 'v1.13.9' }]
  expect(findingsOf({ recorded, runs: ['v1.14.1', 'v1.13.9'] })).toEqual([])
})

test('an upgrade is refused while a move is not finished, also where the file names no contract any more', () => {
  const judged = (view: Seen) => guardContractInUpgrade(seen(view), [change])
  const unfinished = [moved, {}]
  expect(judged({ recorded: unfinished })).toMatchObject([
    {
      severity: 'error',
      path: ['talos', 'contract'],
      message: 'the machine configs still move to the contract v1.14, which an upgrade does not do',
      hint: expect.stringMatching(/^Apply first\./),
    },
  ])
  expect(judged({ ...moved, recorded: unfinished })).toMatchObject([{ severity: 'error' }])
  expect(judged({ recorded: [moved, moved] })).toEqual([])
  expect(guardContractInUpgrade(seen({ recorded: unfinished }), [])).toEqual([])
})
