import { type AddonRelease, releaseOf } from '../../addons/addon-release.ts'
import { catalogue, enabledAddons } from '../../addons/catalogue.ts'
import { findAddonDrift } from '../../addons/find-drift.ts'
import { recordOf, unknownVersion } from '../../addons/render-releases.ts'
import { createAddonCluster } from '../../kubernetes/addon-cluster.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { inventoriedSets } from '../../kubernetes/set-inventory.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { Inventory, InventoryAddon } from '../../plan/inventory.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { addonRenderer } from '../../run/hetzner-talos/addon-renderer.ts'
import { ClusterAccess } from '../../run/hetzner-talos/cluster-access.ts'
import { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import { givenSecrets } from '../../run/named-secrets.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { referencesIn, referencesInJson } from '../../spec/secret-reference.ts'
import { isReservedSetName } from '../../spec/tables/addon-names.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const withinMs = 2 * 60_000

/**
 * Which addons a cluster has, found by looking: one that is there just as the file asks for it counts as
 * applied, one that differs does not, and the next apply installs it over what is there. Where Kubernetes
 * does not answer none counts. Changes nothing.
 */
export async function recoverAddons(
  context: RunContext,
  view: ClusterView,
  { secrets, uid }: { readonly secrets: SecretsBundle; readonly uid: string },
): Promise<Inventory['addons']> {
  const { keys, clock, calendar, random, redactor, signal, progress } = context
  const { clusterName } = view.spec
  const options = { clusterName, secrets, keys, clock, calendar, random, redactor, signal }
  using access = new ClusterAccess(options)
  const addresses = new NodeAddresses()
  for (const { kind, name, facts } of view.hetzner.records) {
    if (kind === 'server') addresses.learn(name, facts)
  }
  return await runPhase(
    progress,
    'Look for addons',
    async (phase) => {
      const onPending = (reason: string) => phase.step(reason)
      try {
        const nodes = view.nodes.flatMap(({ name, role }) => {
          const address = addresses.factsOf(name)?.publicIp
          return role === 'control-plane' && address !== undefined ? [{ name, address }] : []
        })
        const client = await access.kubernetes(nodes, { withinMs, onPending })
        return await addonsOf(context, view, uid, client)
      } catch (error) {
        if (!isClusterError(error, 'wait-timeout', 'kubernetes-unreachable')) throw error
        progress.warn(`Kubernetes does not answer, so an apply will install the addons again`)
        return {}
      }
    },
    (addons) => Object.keys(addons).join(', ') || 'none',
  )
}

async function addonsOf(
  context: RunContext,
  { spec }: ClusterView,
  uid: string,
  client: KubernetesClient,
): Promise<Inventory['addons']> {
  const { clock, signal } = context
  const cluster = createAddonCluster(client, { clock, signal })
  const renderer = addonRenderer(context, async () => givenSecrets(context, spec))
  // What a secret is that nobody has given is not known, nor then what the addon is like.
  const given = givenSecrets(context, spec)
  const releases = enabledAddons(spec).map((addon) => releaseOf(addon, spec, { uid }))
  const known = releases.filter((release) => secretsOf(release).every((name) => given.has(name)))
  const only = new Set(known.map(({ addon }) => addon.name))
  const drifted = await findAddonDrift(
    spec,
    { uid },
    {
      cluster,
      renderer,
      only,
      recorded: {},
    },
  )
  const differing = new Set(drifted.map(({ addon }) => addon))
  const same = known.filter(({ addon }) => !differing.has(addon.name))
  const wanted = new Set(releases.map(({ addon }) => addon.name))
  return Object.fromEntries([
    ...same.map((release) => [release.addon.name, recordOf(release, undefined)] as const),
    ...(await unwantedAddons(client, wanted)),
  ])
}

/** What is there and not wanted: the next apply removes it. */
async function unwantedAddons(
  client: KubernetesClient,
  wanted: ReadonlySet<string>,
): Promise<(readonly [string, InventoryAddon])[]> {
  const own = Object.keys(catalogue)
  const names = (await inventoriedSets(client)).filter(
    (name) => !wanted.has(name) && !isReservedSetName(name),
  )
  return names.map((name) => [
    name,
    {
      version: unknownVersion,
      digest: 'unknown',
      // What a file has brought is known by this; what it needed, nobody knows any more.
      ...(!own.includes(name) && { needs: [] }),
    },
  ])
}

/** Names of the secrets that an addon is made with. */
function secretsOf({ content, values }: AddonRelease): string[] {
  const found =
    content.type === 'chart' ? referencesInJson(values) : content.inline.flatMap(referencesIn)
  return found.map(({ name }) => name)
}
