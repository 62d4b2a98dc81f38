import { describe, expect, test } from 'vitest'
import type { HetznerClient } from '../../src/hetzner/api/hetzner-client.ts'
import { createApplyContext } from '../../src/hetzner/apply/apply-context.ts'
import { applyHetznerChange } from '../../src/hetzner/apply.ts'
import { desireHetzner } from '../../src/hetzner/desire.ts'
import { diffHetzner } from '../../src/hetzner/diff.ts'
import { sharedRecords } from '../../src/hetzner/find-resources.ts'
import type { HetznerKind } from '../../src/hetzner/kinds/hetzner-kind.ts'
import {
  type HetznerKindTable,
  hetznerKinds,
  kindNames,
} from '../../src/hetzner/kinds/hetzner-kinds.ts'
import {
  plainComparison,
  plainDestruction,
  plainDrift,
} from '../../src/hetzner/kinds/kind-defaults.ts'
import { observeHetzner } from '../../src/hetzner/observe.ts'
import { observeDestroy } from '../../src/hetzner/observe-destroy.ts'
import type { Identifiable } from '../../src/hetzner/own-resources.ts'
import { resourceLabels } from '../../src/hetzner/ownership.ts'
import { planDestroyHetzner } from '../../src/hetzner/plan-destroy.ts'
import { runGraph } from '../../src/lib/run-graph.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Change } from '../../src/plan/change.ts'
import { orderChanges } from '../../src/plan/order-changes.ts'
import { kindTraits, recordKinds } from '../../src/plan/record.ts'
import { clusterSpec } from '../plan/specs.ts'
import {
  completeCluster,
  contents,
  identity,
  schematic,
  startHetznerWorld,
} from './hetzner-world.ts'

describe('the table of kinds', () => {
  test('has each kind under its own name, in the order of a plan', () => {
    const names = Object.keys(hetznerKinds)
    expect(kindNames()).toEqual(names)
    expect(recordKinds.slice(0, names.length)).toEqual(names)
  })

  test('and the inventory agree on what the state records', () => {
    const recorded = Object.values(hetznerKinds).filter(
      ({ observe }) => observe.observedIn !== 'when-desired' && observe.isRecorded,
    )
    expect(recorded.map(({ name }) => name)).toEqual(
      recordKinds.filter((kind) => kindTraits[kind].hasId),
    )
  })
})

interface Bucket extends Identifiable {
  readonly sizeGb: number
}

const spec = clusterSpec()
const key = 'volume/demo'

/** A kind that Hetzner does not have, under a name that plans know: in place of volumes. */
function bucketKind(project: Map<number, Bucket>): HetznerKind<Bucket> {
  const put = (id: number, sizeGb: unknown) => {
    const labels = resourceLabels(identity, 'server')
    project.set(id, { id, name: 'demo', labels, sizeGb: Number(sizeGb) })
    return { id }
  }
  return {
    name: 'volume',
    observe: {
      observedIn: 'each-run',
      isRecorded: true,
      list: async () => [...project.values()],
      nameOf: (_bucket, { clusterName }) => clusterName,
      isOfControllers: () => false,
      live: ({ name, item: { id, sizeGb } }, { found }) => ({
        kind: 'volume',
        name,
        spec: { sizeGb },
        needs: found.of('network').own.map((network) => `network/${network.name}` as const),
        facts: { id },
      }),
    },
    desire: ({ spec: { clusterName } }) => [
      {
        kind: 'volume',
        name: clusterName,
        spec: { sizeGb: 10 },
        needs: [`network/${clusterName}`],
      },
    ],
    compare: {
      ...plainComparison,
      rules: {
        create: () => ({ risk: 'additive', reason: 'the spec asks for it' }),
        update: () => ({ action: 'update', risk: 'live', reason: 'changed in place' }),
        delete: () => ({ risk: 'live', reason: 'the spec no longer asks for it' }),
      },
      drift: plainDrift,
    },
    apply: {
      create: async (after) => put(77, after.spec['sizeGb']),
      update: async (after) => put(77, after.spec['sizeGb']),
      delete: async ({ facts }) => {
        project.delete(Number(facts?.['id']))
      },
    },
    destroy: { ...plainDestruction, reason: () => 'its cluster goes' },
    phase: 'resources',
  }
}

async function planWith(client: HetznerClient, kinds: HetznerKindTable) {
  const live = await observeHetzner(client, identity, kinds)
  const context = { uid: identity.uid, catalogue: live.catalogue, schematic }
  const desired = desireHetzner(spec, allocateNodes(spec, undefined), context, kinds)
  const images = sharedRecords(desired, live, kinds)
  return {
    live,
    changes: orderChanges(diffHetzner(desired, [...live.records, ...images], { kinds })),
    context: createApplyContext(client, { identity, spec, live, liveImages: images }),
  }
}

async function makeAll(
  client: HetznerClient,
  changes: readonly Change[],
  kinds: HetznerKindTable,
): Promise<void> {
  const { context } = await planWith(client, kinds)
  const tasks = changes.map((change) => ({
    id: change.key,
    needs: change.needs,
    run: async () => {
      await applyHetznerChange(change, context, () => {}, kinds)
    },
  }))
  await runGraph(tasks, 16)
}

describe('a kind that is added to the table', () => {
  test('is planned, made, observed, put back and destroyed with the cluster', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const theirs = { id: 5, name: 'theirs', labels: {}, sizeGb: 1 }
    const project = new Map([[theirs.id, theirs]])
    const kinds = { ...hetznerKinds, volume: bucketKind(project) }
    const { changes } = await planWith(client, kinds)
    const create = changes.find((change) => change.key === key)
    expect(create).toMatchObject({ action: 'create', risk: 'additive', needs: ['network/demo'] })

    await makeAll(client, changes, kinds)
    expect(contents(world)).toEqual(completeCluster)
    expect(project.get(77)).toMatchObject({ sizeGb: 10 })
    const after = await planWith(client, kinds)
    expect(after.changes).toEqual([])
    expect(after.live.ids.get(key)).toBe(77)
    expect(after.live.foreign.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['volume theirs'])

    project.set(77, { id: 77, name: 'demo', labels: { uid: identity.uid }, sizeGb: 99 })
    const edited = await planWith(client, kinds)
    expect(edited.changes).toMatchObject([{ key, action: 'update', fields: [{ path: 'sizeGb' }] }])
    await makeAll(client, edited.changes, kinds)
    expect(project.get(77)).toMatchObject({ sizeGb: 10 })

    const found = await observeDestroy(client, { identity }, kinds)
    const deletes = orderChanges(planDestroyHetzner(found, { volumes: 'keep' }, kinds))
    expect(deletes.find((change) => change.key === key)?.reason).toBe('its cluster goes')
    expect(deletes.find((change) => change.key === 'network/demo')?.needs).toContain(key)
    await makeAll(client, deletes, kinds)
    expect(contents(world)).toEqual({})
    expect([...project.values()]).toEqual([theirs])
  })

  test('goes when the spec no longer asks for it', async () => {
    await using sandbox = await startHetznerWorld()
    const { client } = sandbox
    const project = new Map<number, Bucket>()
    const kind = bucketKind(project)
    const kinds = { ...hetznerKinds, volume: kind }
    await makeAll(client, (await planWith(client, kinds)).changes, kinds)
    const without = { ...kinds, volume: { ...kind, desire: () => [] } }
    const { changes } = await planWith(client, without)
    expect(changes).toMatchObject([{ key, action: 'delete' }])
    await makeAll(client, changes, without)
    expect(project.size).toBe(0)
  })
})
