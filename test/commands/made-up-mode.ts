import { createHash } from 'node:crypto'
import type { ShownAddon } from '../../src/addons/show-addons.ts'
import { checkedSnapshot, type SnapshotFacts } from '../../src/backup/etcd-snapshot.ts'
import { sealSnapshot } from '../../src/backup/sealed-snapshot.ts'
import { runPlan } from '../../src/engine/run-plan.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Change } from '../../src/plan/change.ts'
import { type DiffRules, diffRecords } from '../../src/plan/diff-records.ts'
import { guardControlPlanes } from '../../src/plan/guard-control-planes.ts'
import { recordLive, recordResource } from '../../src/plan/inventory-resources.ts'
import { orderControlPlanes } from '../../src/plan/order-control-planes.ts'
import { makePlan, type Plan } from '../../src/plan/plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { isApplied } from '../../src/planner/applied-spec.ts'
import type { KnownCluster } from '../../src/planner/known-cluster.ts'
import { passed, problem } from '../../src/run/diagnosis.ts'
import type { ClusterMode } from '../../src/run/mode/cluster-mode.ts'
import { recoveryImpossible } from '../../src/run/recovery-impossible.ts'
import { storeSnapshot } from '../../src/run/snapshot-storage.ts'
import { openStateSession, type StateSession } from '../../src/run/state-session.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import type { StateAnchor } from '../../src/store/trust/refuse-older.ts'
import { clusterSpec, pool } from '../plan/specs.ts'

interface Box {
  readonly id: number
  readonly isNode: boolean
  /** Of Kubernetes, as the box runs it. */
  readonly version: string
}

interface BoxSession extends StateSession {
  readonly spec: Omit<ClusterSpec, 'hetzner' | 'talos'>
}

interface BoxView extends KnownCluster {
  readonly boxes: ReadonlyMap<string, Box>
}

/** A provider that nobody has: machines are boxes in a cupboard. It outlives runs, as a cloud does. */
export class Cupboard {
  boxes: ReadonlyMap<string, Box> = new Map()
  /** What was done to it, in order. */
  readonly done: string[] = []
  /** How far the state has come, as it remembers it. */
  anchor: StateAnchor | undefined
  /** What was in the boxes of which a snapshot was brought back. */
  restored: string | undefined
  /** Whether anybody can look into it. */
  isOpen = true
  /** The name of a box that cannot be put up. */
  broken: string | undefined
  #lastId = 0

  change({ key, action, after, before }: Change, version = ''): number | undefined {
    const name = (after ?? before)?.name ?? ''
    const boxes = new Map(this.boxes)
    const box = boxes.get(name)
    if (name === this.broken) throw new Error(`${name} does not fit`)
    const isOfNode = key.startsWith('node/')
    if (action === 'delete' && !isOfNode) boxes.delete(name)
    else if (box && key.startsWith('kubelet/')) boxes.set(name, { ...box, version })
    else {
      const id = box?.id ?? ++this.#lastId
      boxes.set(name, { id, isNode: isOfNode && action === 'create', version })
    }
    this.boxes = boxes
    this.done.push(`${action} ${key}`)
    return boxes.get(name)?.id
  }
}

const rules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'the file asks for it' }),
  delete: () => ({ risk: 'drain', reason: 'the file does not ask for it' }),
  update: () => ({ action: 'replace', risk: 'replace', reason: 'boxes never change' }),
}

function recordsOf(name: string, box?: Box): ClusterRecord[] {
  const facts = box && { id: box.id }
  const spec = { role: 'control-plane' }
  return [
    { kind: 'server', name, spec, needs: [], ...(facts && { facts }) },
    ...(box?.isNode === false
      ? []
      : [{ kind: 'node' as const, name, spec, needs: [`server/${name}` as const] }]),
  ]
}

function liveRecords({ boxes }: BoxView | Cupboard): ClusterRecord[] {
  return [...boxes].flatMap(([name, box]) => recordsOf(name, box))
}

function planApply(view: BoxView): Plan {
  const { spec, generation, nodes, boxes } = view
  const { uid, bootstrapped = false } = generation?.inventory ?? {}
  const [desired, live] = [nodes.flatMap(({ name }) => recordsOf(name)), liveRecords(view)]
  const members = [...boxes.keys()].map((name) => ({ name, serverGone: false }))
  const fileIsApplied = isApplied(spec, generation)
  const changes = orderControlPlanes(diffRecords(desired, live, rules), {
    running: bootstrapped,
    members: members.length,
  })
  return makePlan({
    clusterName: spec.clusterName,
    verb: 'apply',
    changes,
    desired,
    live,
    uid,
    findings: guardControlPlanes(changes, {
      bootstrapped,
      members,
      fileIsApplied,
      asked: new Set(),
    }),
  })
}

const upgradeRules: DiffRules = {
  ...rules,
  update: () => ({ action: 'update', risk: 'drain', reason: 'the file asks for another version' }),
}

function planUpgrade({ spec, generation, boxes }: BoxView): Plan {
  const kubelets = (version: (box: Box) => string): ClusterRecord[] =>
    [...boxes].map(([name, box]) => ({
      kind: 'kubelet',
      name,
      spec: { version: version(box) },
      needs: [],
    }))
  const [desired, live] = [kubelets(() => spec.kubernetes.version), kubelets((box) => box.version)]
  return makePlan({
    clusterName: spec.clusterName,
    verb: 'upgrade',
    changes: diffRecords(desired, live, upgradeRules),
    desired,
    live,
    uid: generation?.inventory.uid,
  })
}

function planRemoval({ clusterName }: KnownCluster['spec'], cupboard: Cupboard, uid: string): Plan {
  const live = liveRecords(cupboard)
  const changes = diffRecords([], live, rules)
  return makePlan({ clusterName, verb: 'destroy', changes, desired: [], live, uid })
}

/** A cluster file of this mode: a name, how many boxes, what they run, and who reads and signs the state. */
export function boxFile(boxes: number, kubernetes = '1.35.0', state: BoxState = {}) {
  const text = JSON.stringify({ clusterName: 'demo', boxes, kubernetes, state })
  return { path: 'boxes.json', text }
}

export type BoxState = Partial<Pick<KnownCluster['spec']['state'], 'recipients' | 'signers'>>

function readBoxFile({ text }: { readonly text: string }) {
  const { boxes, kubernetes, state } = JSON.parse(text)
  const controlPlane = pool({ name: 'control-plane', count: Number(boxes) })
  const { hetzner: _, talos: _talos, ...spec } = clusterSpec({ controlPlane, workers: [] })
  return {
    spec: {
      ...spec,
      kubernetes: { ...spec.kubernetes, version: String(kubernetes) },
      state: { ...spec.state, ...state },
    },
    findings: [],
  }
}

/** A mode of clusters with neither Hetzner nor Talos: what fills the seam of ADR 40 second. */
export function madeUpMode(cupboard: Cupboard): ClusterMode<BoxSession, BoxView> {
  return {
    read: readBoxFile,
    open: (context, file, options) =>
      openStateSession(context, { mode: 'boxes', file, ...readBoxFile(file) }, () => ({}), options),
    machines: {
      name: 'the cupboard',
      canAsk: () => cupboard.isOpen,
      missingAccess: () => undefined,
      unasked: { message: 'the cupboard is locked', fix: 'unlock it' },
      async requireWrite() {},
      requireClock() {},
      anchorOf: () => cupboard.anchor,
      askAnchor: async () =>
        cupboard.isOpen ? { kind: 'answered', anchor: cupboard.anchor } : { kind: 'not asked' },
      async refuseLost() {
        if (cupboard.boxes.size > 0) throw new ClusterError('state-missing', 'there are boxes')
      },
      findStateOf: async () => ({
        anchor: cupboard.anchor,
        isThere: cupboard.boxes.size > 0,
        refuseOther() {},
        async remember(manifest) {
          cupboard.anchor = { generation: manifest.generation, keyEpoch: manifest.keyEpoch }
        },
      }),
      async observe({ spec, store }) {
        if (!cupboard.isOpen)
          throw new ClusterError('hetzner-unreachable', 'the cupboard is locked', {
            isUnanswered: true,
          })
        const generation = await store.read()
        const nodes = allocateNodes(spec, generation?.inventory)
        return { spec, generation, nodes, boxes: cupboard.boxes }
      },
      recordsOf: liveRecords,
      recordLent: (inventory) => inventory,
      requestsOf: () => cupboard.done.length,
      async requireRights() {},
      async anchor({ store }) {
        const { manifest } = store.known ?? {}
        if (manifest)
          cupboard.anchor = { generation: manifest.generation, keyEpoch: manifest.keyEpoch }
      },
      async anchorGeneration(_context, { manifest: { generation, keyEpoch } }) {
        cupboard.anchor = { generation, keyEpoch }
      },
      async removeRemains() {},
      async findRemoval(_context, { spec }, { generation }) {
        const { uid } = generation.inventory
        return {
          plan: planRemoval(spec, cupboard, uid),
          kept: [],
          title: 'Take boxes away',
          kinds: ['node', 'server'],
          hint: 'Look into the cupboard.',
          async requireRights() {},
          async release() {},
          async remove(change) {
            cupboard.change(change)
          },
          left: async () => planRemoval(spec, cupboard, uid).changes,
        }
      },
    },
    nodes: {
      inspect: async (_context, _session, view) => view,
      access: () => ({
        async open() {},
        inspect: async (view) => view,
        async [Symbol.asyncDispose]() {},
      }),
      async closeLeftOpen() {},
      async closeOwn(_context, { uid }) {
        cupboard.done.push(`close the cupboard of ${uid}`)
      },
      keepInspected: (view) => view,
      leaveUnapproved: (_context, view) => view,
      driftedNames: () => [],
      checkPlan: async (_context, _session, plan) => plan,
    },
    life: {
      planApply,
      planUpgrade,
      guardBeginning: () => [],
      fileFindings: () => [],
      firstInventory: ({ spec: { clusterName } }, uid) => ({
        clusterName,
        uid,
        nodes: [],
        addons: {},
        bootstrapped: false,
      }),
      carryOut: (changes, { context, recorder, view: { spec } }) =>
        recorder.during(async () => {
          const each = async (change: Change) => {
            const id = cupboard.change(change, spec.kubernetes.version)
            recorder.record(`Note ${change.key}`, (known) => {
              const inventory = recordResource(known, change, id)
              const isGone = change.action === 'delete'
              const nodes = inventory.nodes.filter(
                ({ name }) => !isGone || name !== change.before?.name,
              )
              return { ...inventory, nodes, bootstrapped: true }
            })
          }
          const phases = [
            { title: 'Change boxes', kinds: ['server' as const], run: { each } },
            { title: 'Make nodes of boxes', kinds: ['node' as const], run: { each } },
          ]
          await runPlan(changes, phases, context.progress)
        }),
      async carryOutUpgrade(changes, { context, view: { spec } }) {
        const each = async (change: Change) => {
          cupboard.change(change, spec.kubernetes.version)
        }
        const phases = [
          { title: 'Give boxes their version', kinds: ['kubelet' as const], run: { each } },
        ]
        await runPlan(changes, phases, context.progress)
      },
      async verify(_context, _session, { boxes }) {
        if (![...boxes.values()].every(({ isNode }) => isNode)) throw new Error('a box is no node')
      },
      recordAll: (inventory, view) => recordLive(inventory, liveRecords(view), liveRecords(view)),
    },
    description: {
      endpoint: () => undefined,
      nodes: ({ nodes, boxes }) =>
        nodes.map(({ name, role, pool, privateIp }) => ({
          name,
          role,
          pool,
          address: null,
          internalAddress: privateIp,
          machine: {
            kind: 'server',
            state: boxes.has(name) ? 'running' : 'missing',
            id: null,
            type: 'box',
            place: null,
          },
          system: null,
          kubernetes: boxes.get(name)?.version ?? null,
          ready: boxes.get(name)?.isNode ?? null,
          because: null,
          cordonedBy: null,
          certificatesEnd: null,
        })),
    },
    keys: {
      pendingChange: (view) => planApply(view).changes[0],
      holders: ({ nodes, boxes }) => nodes.filter(({ name }) => boxes.get(name)?.isNode),
      async replace(_context, _session, { nodes }) {
        for (const { name } of nodes) cupboard.done.push(`another lock for ${name}`)
        return true
      },
      words: {
        replaced: 'lock',
        madeVoid: undefined,
        tried: 'the former key',
        untried: 'The former key was not tried.',
        stillValid: [{ what: 'the cupboard', means: 'can be looked into', remedy: 'Shut it.' }],
      },
    },
    recovery: {
      requireWayIn() {},
      async find({ spec }) {
        const nodes = allocateNodes(spec, undefined)
        const found = nodes.filter(({ name }) => cupboard.boxes.has(name))
        if (found.length === 0) throw recoveryImpossible('the cupboard is empty', 'Apply the file.')
        const { clusterName } = spec
        const inventory = {
          clusterName,
          uid: '0123456789abcdef',
          nodes: found.map(({ name, role, pool, slot, privateIp }) => ({
            name,
            role,
            pool,
            slot,
            privateIp,
          })),
          addons: {},
          bootstrapped: false,
        }
        const view = { spec, generation: undefined, nodes, boxes: cupboard.boxes }
        return { uid: inventory.uid, view, inventory }
      },
      read: async (_context, _session, { lost }) => ({
        inventory: { ...lost.inventory, bootstrapped: true },
      }),
    },
    adoption: {
      isPossible: true,
      async find({ spec }, { uid }) {
        const nodes = allocateNodes(spec, undefined)
        const found = nodes.filter(({ name }) => cupboard.boxes.has(name))
        const inventory = {
          clusterName: spec.clusterName,
          uid,
          nodes: found.map(({ name, role, pool, slot, privateIp }) => ({
            name,
            role,
            pool,
            slot,
            privateIp,
          })),
          addons: {},
          bootstrapped: true,
        }
        const view = { spec, generation: undefined, nodes, boxes: cupboard.boxes }
        return { uid, view, inventory, shown: found.map(({ name }) => name) }
      },
    },
    backup: {
      async take(context, { view }, { place, takenAt, seal }) {
        const { spec, generation, boxes } = view
        const node = 'demo-control-plane-1'
        const metadata = {
          cluster: spec.clusterName,
          uid: generation?.inventory.uid ?? '',
          node,
          takenAt,
          talosVersion: '',
          kubernetesVersion: spec.kubernetes.version,
        }
        let facts: SnapshotFacts | undefined
        const plain = checkedSnapshot(contentsOf(boxes), (whole) => {
          facts = whole
        })
        const stored = await storeSnapshot(
          context,
          place,
          sealSnapshot(plain, { ...seal, metadata }),
        )
        if (!facts) throw new Error('a snapshot that was not seen to its end')
        return { ...facts, stored, node, quorum: true }
      },
      authority: async () => '',
      planRestore: (view) => ({
        creates: planApply(view).changes.filter(({ action }) => action === 'create'),
        findings: [],
      }),
      async judgeRestore(_context, { view }, { discardEtcd }) {
        const alive = [...view.boxes].flatMap(([name, { isNode }]) => (isNode ? [name] : []))
        if (alive.length > 0 && !discardEtcd) throw new ClusterError('etcd-alive', 'boxes answer')
        return { wipes: alive, alive, newer: [], madeSince: [], resumes: false, renews: undefined }
      },
      async restore(_context, { session, former, plan, snapshot }) {
        let held = ''
        for await (const chunk of snapshot.read()) held += Buffer.from(chunk).toString('latin1')
        cupboard.restored = /boxes: (.*);/.exec(held)?.[1]
        for (const change of plan.creates) cupboard.change(change, former.spec.kubernetes.version)
        await session.store.record({ fact: 'etcd-recovered' })
      },
    },
    addons: {
      namesOf: () => ['label'],
      render: async (_context, { spec }) => [label(spec.kubernetes.version)],
      async compare(_context, { view: { spec, boxes } }) {
        const { name, version } = label(spec.kubernetes.version)
        const others = [...boxes].filter((box) => box[1].version !== version)
        const drifts = others.map(([box]) => ({
          ref: { apiVersion: 'v1', kind: 'Label', name: box },
          type: 'changed' as const,
          paths: ['text'],
        }))
        const found = { isDue: false, isLeft: false, hooks: [], drifts }
        return [{ name, wanted: version, installed: version, ...found }]
      },
    },
    credentials: {
      what: 'kubeconfig',
      async mint({ calendar }, { spec, generation, view }, hours) {
        const boxes = view ? [...view.boxes.keys()] : generation.inventory.nodes.map(nameOf)
        const kubeconfig = JSON.stringify({ cluster: spec.clusterName, boxes })
        return { minted: { kubeconfig }, until: calendar.now() + hours * 3_600_000 }
      },
    },
    health: {
      provider: 'servers',
      diagnoseProvider: async () =>
        cupboard.isOpen
          ? [passed('servers', 'the cupboard opens')]
          : [problem('servers', 'bad', 'the cupboard is locked', 'Unlock it.')],
      lookAtState: async () => [],
      lookAtMachines: async ({ look }, { nodes, boxes }) =>
        look('servers', 'Look into the cupboard', async () =>
          nodes
            .filter(({ name }) => !boxes.has(name))
            .map(({ name }) => problem('servers', 'bad', `${name} is gone`, 'Apply.')),
        ),
      takesIdentity: true,
      unseen: problem('servers', 'unknown', 'the boxes were not looked at', 'Unlock the cupboard.'),
      lookInside: async ({ look }, { observed }) =>
        look('nodes', 'Knock at the boxes', async () =>
          [...(observed?.boxes ?? [])].map(([name, { isNode }]) =>
            isNode
              ? passed('nodes', `${name} answers`)
              : problem('nodes', 'bad', `${name} is empty`, 'Apply.'),
          ),
        ),
    },
  }
}

/** What a box holds of etcd, in a form that passes for a snapshot: one page, and its hash. */
async function* contentsOf(boxes: BoxView['boxes']): AsyncGenerator<Uint8Array> {
  const page = Buffer.alloc(512)
  page.write(`boxes: ${[...boxes.keys()].join(', ')};`)
  yield page
  yield createHash('sha256').update(page).digest()
}

/** What sticks on every box. */
function label(version: string): ShownAddon {
  const object = { apiVersion: 'v1', kind: 'Label', metadata: { name: 'label' }, text: version }
  return { name: 'label', version, objects: [object], leftOut: [] }
}

function nameOf({ name }: { readonly name: string }): string {
  return name
}
