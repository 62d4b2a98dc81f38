import { getResource } from '../api/resources.ts'
import { talosApi } from '../api/talos-api.ts'
import type { TalosConnection } from '../api/talos-caller.ts'
import type { ControlPlane } from '../control-plane.ts'
import { type TalosWaitOptions, waitForTalos } from '../wait-for-talos.ts'
import { settleBeginning } from './settle-beginning.ts'

export interface BootstrapOptions extends TalosWaitOptions {
  /** Every control plane of the cluster; etcd starts on the first. */
  readonly controlPlanes: readonly [ControlPlane, ...ControlPlane[]]
}

export type BootstrapOutcome = 'bootstrapped' | 'already bootstrapped'

const localMember = { namespace: 'etcd', type: 'EtcdMembers.etcd.talos.dev' }

/**
 * Creates the etcd cluster on the first control plane, exactly once in the cluster's life, and returns
 * when a member answers. Nothing is created when any control plane is, or ever was, a member, nor as
 * long as one of them cannot be asked: unknown is not absent. A call whose answer was lost, and one by
 * a run before this one, are understood.
 *
 * This is the last of two guards. The first is the caller's: never to come here when the store says
 * that the cluster was bootstrapped. Throws `wait-timeout` when it does not come about.
 */
export function bootstrapEtcd(options: BootstrapOptions): Promise<BootstrapOutcome> {
  const { controlPlanes } = options
  const [first] = controlPlanes
  const starting = { pending: `etcd starts on ${first.name}` }
  let asked = false
  return waitForTalos<BootstrapOutcome>(
    'etcd to be bootstrapped',
    async () => {
      const member = await findMember(controlPlanes)
      if (member !== undefined) return { done: asked ? 'bootstrapped' : 'already bootstrapped' }
      asked ||= await settleBeginning(() => talosApi(first.client).machine.bootstrap())
      return asked ? starting : { pending: `${first.name} is not ready for it yet` }
    },
    options,
    {
      defaultMs: 600_000,
      hint: 'Look at `hcloud-talos talos services etcd`: every control plane must answer before etcd may be created.',
    },
  )
}

/** The name of a control plane that has, or knows of, an etcd member; throws when one cannot be asked. */
async function findMember(controlPlanes: readonly ControlPlane[]): Promise<string | undefined> {
  const found = await Promise.all(
    controlPlanes.map(async ({ name, client }) => ((await knowsMember(client)) ? name : undefined)),
  )
  return found.find((name) => name !== undefined)
}

async function knowsMember(client: TalosConnection): Promise<boolean> {
  // Answers on every configured node, whether etcd runs or not: this is what must not fail.
  const { machine } = talosApi(client)
  const { services } = await machine.serviceList()
  const etcd = services.find(({ id }) => id === 'etcd')
  if (etcd?.state === 'Running' && etcd.health?.healthy === true) return true
  if ((await getResource(client, localMember, 'local')) !== undefined) return true
  try {
    // Asks the etcd of the others as well, also of those that nobody named to us.
    return (await machine.etcdMemberList({}, { timeoutMs: 5_000 })).members.length > 0
  } catch {
    // Without etcd this fails in many ways; the two answers above were given.
    return false
  }
}
