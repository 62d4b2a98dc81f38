import type { KubernetesObject } from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'

export interface HetznerCredentials {
  readonly token: string
  /** Name or id of the cluster's network. */
  readonly network: string
}

/** Whether anything in the cluster talks to Hetzner's API. */
export function needsCredentials<Spec extends CommonSpec>(
  spec: Spec,
  addonsOf: AddonsOf<Spec>,
): boolean {
  return enabledAddons(spec, addonsOf).some(({ usesHetzner }) => usesHetzner)
}

/**
 * The Secret from which Hetzner's controllers take their token: an object of ours, so that no secret
 * ever passes through a chart's values or helm.
 */
export function credentialsSet({ token, network }: HetznerCredentials): ObjectSet {
  const secret: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hcloud', namespace: 'kube-system' },
    type: 'Opaque',
    data: { token: btoa(token), network: btoa(network) },
  }
  return {
    name: credentialsSetName,
    namespace: 'kube-system',
    objects: [secret],
    hooks: { before: [], after: [] },
  }
}

export const credentialsSetName = 'hetzner-credentials'
