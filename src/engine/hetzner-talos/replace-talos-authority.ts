import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import type { Fact } from '../../store/files/journal.ts'
import { getVersion } from '../../talos/api/node-version.ts'
import { createAuthority } from '../../talos/config/certificate-authority.ts'
import {
  acceptNext,
  dropFormer,
  issueNext,
  replacementStep,
} from '../../talos/config/replace-authority.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../talos/config/secrets-bundle-yaml.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { configureClusterNode } from './configure-cluster-node.ts'

export interface ReplacementInput {
  readonly context: RunContext
  readonly session: ClusterSession
  readonly view: ClusterView
  /** Every node that has a config: each must be reached, or there is no step. */
  readonly nodes: readonly ClusterNode[]
}

/**
 * Replaces the CA of the Talos API on running nodes, in three steps of which each is on all of them before the next.
 * The state says how far it has come before the nodes are told, so that a run which died is gone on with, and any
 * other run talks to the nodes as they are. At the end the former CA, and every credential that came from it, is
 * worth nothing. Throws what configuring a node does.
 */
export async function replaceTalosAuthority(input: ReplacementInput): Promise<void> {
  const { context, session } = input
  const { keys, calendar, random, redactor } = context
  const bundle = await readBundle(input)
  if (replacementStep(bundle) === 'none') {
    await runPhase(context.progress, 'See that every node answers', (phase) =>
      configureAll(input, phase, bundle),
    )
    const environment = { keys, clock: calendar, random }
    const next = await createAuthority('ed25519', { organizations: ['talos'] }, environment)
    redactor.add(next.key)
    await writeBundle(session, acceptNext(bundle, next), 'authority-accepted')
  }
  const accepting = await readBundle(input)
  if (replacementStep(accepting) === 'accepting') {
    await runPhase(context.progress, 'Have every node accept the next CA', (phase) =>
      configureAll(input, phase, accepting),
    )
    await writeBundle(session, issueNext(accepting), 'authority-issuing')
  }
  const issuing = await readBundle(input)
  await runPhase(context.progress, 'Have the next CA issue on every node', (phase) =>
    configureAll(input, phase, issuing),
  )
  // The nodes first: should this run die here, the next one finds them by either of the two.
  const final = dropFormer(issuing)
  await runPhase(context.progress, 'Drop the former CA on every node', (phase) =>
    configureAll(input, phase, final),
  )
  await writeBundle(session, final, 'authority-dropped')
}

async function readBundle({ context, session, view }: ReplacementInput): Promise<SecretsBundle> {
  using reach = new ClusterReach(context, session.store, view)
  return await reach.secrets()
}

async function writeBundle(
  { store }: ClusterSession,
  bundle: SecretsBundle,
  fact: Fact['fact'],
): Promise<void> {
  const changes = { secrets: formatSecretsBundle(bundle), replacesSecrets: true }
  await store.update(
    () => ({ ...changes, facts: [{ fact, detail: { authority: 'talos' } }] }),
    'Replace the CA of the Talos API',
  )
}

/** Gives every node the config with these secrets, control planes first, and hears from each that it is healthy. */
async function configureAll(
  input: ReplacementInput,
  progress: PhaseProgress,
  secrets: SecretsBundle,
): Promise<void> {
  const { context, session, view, nodes } = input
  const inventory = session.store.known?.inventory
  if (!inventory) throw new Error('nodes without a state cannot be configured')
  using reach = new ClusterReach(context, session.store, view)
  const access = await reach.access()
  const named = await reach.namedSecrets()
  const recorder = new StateRecorder(session.store, inventory)
  const configure = async (node: ClusterNode) => {
    await configureClusterNode({
      spec: specAsRunning(
        view.spec,
        inventory.nodes.find(({ name }) => name === node.name),
        inventory,
      ),
      node,
      secrets,
      named,
      decided: reach.decidedAddresses(),
      access,
      addresses: reach.addresses,
      recorder,
      mode: 'no-reboot',
      clock: context.clock,
      signal: context.signal,
      progress,
    })
    await getVersion(access.talos(reach.addresses.of(node.name).address))
  }
  await recorder.during(async () => {
    // Workers get their certificates from control planes, which must have the newer CA by then.
    for (const role of ['control-plane', 'worker'] as const) {
      for (const node of nodes) if (node.role === role) await configure(node)
    }
  })
}
