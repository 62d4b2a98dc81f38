import type { WorldRequest } from '../request-log.ts'
import type { Call } from './api/rpc.ts'
import type { NodeConfig } from './config/node-config.ts'
import { expectStop, judgeJoin, judgeRemoval, judgeStop } from './judge-voters.ts'
import type { TalosNode } from './talos-node.ts'

/** What the product may ask of a node that cannot be undone: the fact that must be written down before. */
const facts = {
  bootstrap: { fact: 'etcd-bootstrap-started', ofNode: true, once: false },
  recover: { fact: 'etcd-recover-started', ofNode: true, once: false },
  wipe: { fact: 'etcd-wipe-started', ofNode: false, once: false },
  upgrade: { fact: 'upgrade-started', ofNode: true, once: false },
} as const

type Act = keyof typeof facts

/** A call of the product that cannot be undone is about to be answered. */
export async function judgeAct({ node, isProduct }: Call, act: Act): Promise<void> {
  if (!isProduct) return
  const { judge } = node.world
  // A bootstrap ends what was done for the node; it begins the cluster.
  judgeBeginning(node, `${act} of ${node.name}`, act === 'bootstrap' ? undefined : node.name)
  if (act === 'upgrade') judge.constructs()
  const { fact, ofNode, once } = facts[act]
  const options = ofNode ? { node: node.name, once } : { once }
  if (await judge.written.has(clusterName(node), fact, options)) return
  judge.broken('written-down-first', `${act} of ${node.name} without ${fact}`)
}

/** The product is about to take a member out of the etcd that this node speaks for. */
export async function judgeMemberRemoval(
  { node, isProduct }: Call,
  memberId: bigint | undefined,
): Promise<void> {
  const etcd = node.etcd.data?.etcd
  const member = memberId === undefined ? undefined : etcd?.members.get(memberId)
  if (!isProduct || etcd === undefined || member === undefined) return
  const { world } = node
  const what = `the removal of ${member.hostname || 'a member'} from etcd`
  judgeRemoval(world, etcd, member.id, what)
  judgeBeginning(node, what, member.hostname)
  const options = { node: member.hostname, once: true }
  if (await world.judge.written.has(clusterName(node), 'member-removed', options)) return
  world.judge.broken('written-down-first', `${what} without member-removed`)
}

/** The product is about to let a node go down. */
export function judgeDown({ node, isProduct }: Call, what: string, forGood = false): void {
  if (!isProduct) return
  judgeStop(node.world, node.machine, `${what} of ${node.name}`, { forGood })
  expectStop(node.world, node.machine)
}

/** A config was taken in maintenance: the key of this connection must have been shown before. */
export function judgeHandOver({ node, isProduct, peer }: Call, config: NodeConfig): void {
  const { judge } = node.world
  if (!isProduct) return
  judge.constructs()
  if (config.controlPlane) {
    judgeJoin(node.world, node.state.clusterOf(config), `the joining of ${node.name}`)
  }
  if (node.api.wasShownBefore(peer)) return
  judge.broken('config-to-a-shown-key', `${node.name} got its config by a key never shown before`)
}

function judgeBeginning({ world }: TalosNode, what: string, name?: string): void {
  const isAbout = ({ mutates, path }: WorldRequest) =>
    mutates && name !== undefined && path.split('/').includes(name)
  if (!world.judge.runs.isNew(world.requests, isAbout)) return
  world.judge.broken('nothing-begun-after-a-failure', what)
}

function clusterName({ config }: TalosNode): string {
  return config?.clusterName ?? ''
}
