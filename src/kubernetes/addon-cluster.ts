import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { Clock } from '../lib/clock.ts'
import {
  describeRef,
  type KubernetesObject,
  listAt,
  type ObjectRef,
  refOf,
  textAt,
} from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { applyDefinitions, applySet, type SetEnvironment } from './apply-set.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { waitForGate } from './node-gate.ts'
import { listNodes } from './nodes.ts'
import { removeSet } from './prune-set.ts'
import { notReadyBecause } from './readiness.ts'
import { setDrift } from './set-drift.ts'
import { refKey } from './set-inventory.ts'
import { liveMembers } from './set-members.ts'
import { gateClosedBecause, type ReadyGate } from './upgrade-gates.ts'

/** A cluster as installing addons needs it. */
export function createAddonCluster(
  client: KubernetesClient,
  environment: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): AddonCluster {
  const { clock, signal } = environment
  return {
    async capabilities() {
      const { version, apiVersions } = await client.discovery()
      return { version, apiVersions }
    },
    applySet: (set, onStep) => {
      const options: SetEnvironment = onStep ? { clock, signal, onStep } : { clock, signal }
      return applySet(client, set, options)
    },
    applyDefinitions: (set) => applyDefinitions(client, set, { clock, signal }),
    setDrift: (set) => setDrift(client, set),
    removeSet: (name) => removeSet(client, name),
    async foreignUnready(own) {
      const nodes = await listNodes(client)
      return nodes.filter((node) => !node.ready && !own.includes(node.name)).map(({ name }) => name)
    },
    waitForSet: async (set, { excusedPods = 0, ...wait }) => {
      await waitFor(`the workloads of ${set.name}`, () => judgeSet(client, set, excusedPods), {
        clock,
        signal,
        everyMs: 2_000,
        hint: 'Run `kubectl get pods --all-namespaces`, and `kubectl describe pod` for those that are not ready.',
        ...wait,
      })
    },
    waitForGate: (requirements, wait) =>
      waitForGate(client, requirements, { clock, signal, ...wait }),
    waitForConditions: async (of, objects, wait) => {
      await waitFor(`the conditions of ${of}`, () => judgeConditions(client, objects), {
        clock,
        signal,
        everyMs: 2_000,
        hint: 'Look at this object and at the logs of what keeps its status, or change `conditions` in the cluster file.',
        ...wait,
      })
    },
    waitForCsiDriver: async (driver, nodes, wait) => {
      await waitFor(
        `the driver ${driver} on every node`,
        () => judgeDriver(client, driver, nodes),
        {
          clock,
          signal,
          everyMs: 1_000,
          hint: 'Look at the pods of the driver on that node.',
          ...wait,
        },
      )
    },
  }
}

async function judgeSet(
  client: KubernetesClient,
  set: ObjectSet,
  excusedPods: number,
): Promise<Checked<undefined>> {
  const wanted = [...set.objects, ...set.hooks.after]
  const live = await liveMembers(client, set.name, wanted.map(refOf))
  for (const object of wanted) {
    const found = findLive(live, object, set)
    if (!found) {
      // A Job may have ended, and its own time limit may have removed it.
      if (object.kind === 'Job') continue
      return { pending: `${describeRef(refOf(object))} is not there` }
    }
    const reason = notReadyBecause(found, { excusedPods })
    if (reason !== undefined) return { pending: `${describeRef(refOf(found))}: ${reason}` }
  }
  return { done: undefined }
}

/** Objects of a set may lack a namespace that they got when they were applied, or the other way round. */
function findLive(
  live: ReadonlyMap<string, KubernetesObject>,
  object: KubernetesObject,
  set: ObjectSet,
): KubernetesObject | undefined {
  const { apiVersion, kind, name, namespace } = refOf(object)
  const candidates: ObjectRef[] = [
    { apiVersion, kind, name },
    { apiVersion, kind, name, namespace: namespace ?? set.namespace },
  ]
  return candidates.map((ref) => live.get(refKey(ref))).find((found) => found !== undefined)
}

async function judgeConditions(
  client: KubernetesClient,
  objects: readonly ReadyGate[],
): Promise<Checked<undefined>> {
  for (const object of objects) {
    const reason = await gateClosedBecause(client, object)
    if (reason !== undefined) return { pending: reason }
  }
  return { done: undefined }
}

async function judgeDriver(
  client: KubernetesClient,
  driver: string,
  nodes: readonly string[],
): Promise<Checked<undefined>> {
  const found = await client.list({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' })
  const byName = new Map(found.map((one) => [one.metadata.name, one]))
  const missing = nodes.find(
    (name) =>
      !listAt(byName.get(name), 'spec', 'drivers').some((one) => textAt(one, 'name') === driver),
  )
  return missing === undefined
    ? { done: undefined }
    : { pending: `${missing} does not offer ${driver} yet` }
}
