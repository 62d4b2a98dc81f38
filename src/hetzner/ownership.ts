import { ClusterError } from '../lib/cluster-error.ts'
import type { CloudKind, RecordKind } from '../plan/record.ts'

/** Whose resources a run may touch. */
export interface ClusterIdentity {
  readonly clusterName: string
  /** 16 lower-case hex digits, minted once and kept on the state branch. */
  readonly uid: string
}

/** What a resource of ours is for; the value of its label `component`. */
export type Component = CloudKind | 'access' | 'image-builder'

export type Labels = Readonly<Record<string, string>>

/** The labels that every resource of ours carries. */
export function resourceLabels({ clusterName, uid }: ClusterIdentity, component: Component) {
  return { cluster: clusterName, uid, component }
}

/**
 * Whether a resource carries our uid: names can be taken by anybody, the uid is random. It can be copied all
 * the same, and removed: what the state recorded by its id counts more (see own-resources.ts). Without a uid
 * nothing is ours.
 */
export function isOurs(labels: Labels, uid: string | undefined): boolean {
  return uid !== undefined && uid !== '' && labels['uid'] === uid
}

/** Whether a resource says that it belongs to a cluster of this name, ours or another. */
export function claimsCluster(labels: Labels, clusterName: string): boolean {
  return labels['cluster'] === clusterName
}

/** Whether a resource is a run's own passing aid, and no part of the cluster. */
export function isShortLived(labels: Labels): boolean {
  return labels['component'] === 'access' || labels['component'] === 'image-builder'
}

/** The label keys that we set; what people and controllers add is neither compared nor removed. */
const ownKeys = ['cluster', 'uid', 'component', 'role', 'pool', 'slot']

export function ownLabels(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => ownKeys.includes(key)))
}

/** What to send in place of `current`, since Hetzner replaces the whole map: ours set, others kept. */
export function mergeLabels(current: Labels, desired: Labels): Record<string, string> {
  const others = Object.entries(current).filter(([key]) => !ownKeys.includes(key))
  return { ...Object.fromEntries(others), ...desired }
}

/** Selects the cluster's nodes, and not the servers that build its images. */
export function nodeSelector({ uid }: ClusterIdentity): string {
  return `uid=${uid},component=server`
}

/** Selects the control planes for the load balancer. A name would take in whoever else uses it: the uid decides. */
export function controlPlaneSelector({ uid }: Pick<ClusterIdentity, 'uid'>): string {
  return Object.entries(controlPlaneMarks(uid))
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

/** Whether the load balancer takes whoever carries these labels for a control plane. */
export function isSelectedControlPlane(labels: Labels, uid: string | undefined): boolean {
  if (uid === undefined || uid === '') return false
  return Object.entries(controlPlaneMarks(uid)).every(([key, value]) => labels[key] === value)
}

function controlPlaneMarks(uid: string): Labels {
  return { uid, component: 'server', role: 'control-plane' }
}

/** Something of that name exists and is not ours: it is left alone, and the run stops. */
export function foreignError(
  kind: RecordKind,
  { name, id, labels }: { name: string; id: number; labels: Labels },
): ClusterError {
  const owner =
    labels['uid'] === undefined ? 'no cluster' : `another cluster (uid ${labels['uid']})`
  return new ClusterError(
    'state-foreign',
    `the ${kind} ${name} (id ${id}) exists already and belongs to ${owner}`,
    {
      operation: `create ${kind}`,
      target: name,
      hint: 'Choose another clusterName, use a project of its own, or remove it yourself.',
    },
  )
}
