import type { ClusterRecord } from '../../../plan/record.ts'
import type { ApiLoadBalancer } from '../../api/load-balancers.ts'
import { isOurControllersLoadBalancer } from '../../controller-resources.ts'
import { listComplete } from '../../list-complete.ts'
import type { OwnResource } from '../../own-resources.ts'
import type { HetznerKind, Observed } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction } from '../kind-defaults.ts'
import { clusterNetworkNames } from '../record-parts.ts'
import { applyLoadBalancer } from './apply-load-balancer.ts'
import {
  desireLoadBalancer,
  isUnfinishedLoadBalancer,
  liveLoadBalancer,
  loadBalancerRules,
} from './load-balancer-record.ts'

export const loadBalancerKind: HetznerKind<ApiLoadBalancer> = {
  name: 'load-balancer',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: ({ loadBalancers }, { known }) => listComplete('load-balancer', loadBalancers, known),
    nameOf: (_loadBalancer, { clusterName }) => clusterName,
    isOfControllers: isOurControllersLoadBalancer,
    live: readLoadBalancer,
  },
  desire: ({ spec, identity, catalogue }) => desireLoadBalancer(spec, identity, catalogue),
  compare: {
    ...plainComparison,
    rules: loadBalancerRules,
    // Of one that an apply finished, somebody took a part away.
    isUnfinished: (live, { isChangedByHand }) => !isChangedByHand && isUnfinishedLoadBalancer(live),
    drift: {
      neverRestored: ['location'],
      keptByPolicy: ['type', 'algorithm', 'publicInterface'],
      alsoKept: keptInside,
      isNameRandom: true,
    },
  },
  apply: applyLoadBalancer,
  destroy: {
    ...plainDestruction,
    risk: 'quorum',
    reason: (record) =>
      isMadeByControllers(record)
        ? 'made by the cluster for one of its Services'
        : 'the cluster is destroyed',
  },
  phase: 'resources',
}

function readLoadBalancer(own: OwnResource<ApiLoadBalancer>, observed: Observed): ClusterRecord {
  const record = liveLoadBalancer(own, clusterNetworkNames(observed), observed.catalogue)
  return own.byControllers
    ? { ...record, facts: { ...record.facts, origin: 'controller' } }
    : record
}

function isMadeByControllers({ facts }: ClusterRecord): boolean {
  return facts?.['origin'] === 'controller'
}

/** One that is attached under another address cannot be moved without losing its targets. */
function keptInside({ spec }: ClusterRecord): readonly string[] {
  return spec['privateIp'] === null ? [] : ['network', 'privateIp']
}
