import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applySet } from '../../src/kubernetes/apply-set.ts'
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { systemRandom } from '../../src/lib/random.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import type { World } from '../../src/sandbox/world.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import type { Bench } from './harness.ts'

/** Does something with the cluster's Kubernetes, as a person with a fresh kubeconfig would. */
export async function withKubernetes<T>(
  bench: Bench,
  file: ClusterFile,
  work: (client: KubernetesClient) => Promise<T>,
): Promise<T> {
  const { kubeconfig } = await mintAccess(bench.run(), { file, hours: 1 })
  const client = await connectKubernetes({ kubeconfig, clock: createClock(), random: systemRandom })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** So that a test reaches the Kubernetes API without a rule. */
export const openApi: JsonObject = { firewall: { kubernetesApi: ['127.0.0.0/8'] } }

const noteRef = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name,
})

/** Writes something into Kubernetes that can be looked for afterwards. */
export async function writeNote(bench: Bench, file: ClusterFile, name: string): Promise<void> {
  await withKubernetes(bench, file, (client) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }
    const hooks = { before: [], after: [] }
    return applySet(
      client,
      { name, namespace: 'default', objects: [object], hooks },
      bench.sandbox.world,
    )
  })
}

export async function hasNote(bench: Bench, file: ClusterFile, name: string): Promise<boolean> {
  return withKubernetes(bench, file, async (client) => Boolean(await client.get(noteRef(name))))
}

/** The disks of all control planes lose what etcd kept on them; the servers come up again. */
export async function loseEtcd(world: World): Promise<void> {
  const nodes = [...talosState(world).nodes].filter(({ config }) => config?.controlPlane)
  for (const { etcd } of nodes) etcd.wipe()
  for (const machine of world.machines.values()) {
    if (!nodes.some(({ name }) => name === machine.name)) continue
    await machine.powerCycle()
    await machine.settled()
  }
}
