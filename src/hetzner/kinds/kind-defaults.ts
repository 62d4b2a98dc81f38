import type { ClusterRecord } from '../../plan/record.ts'
import type { Comparison, Destruction } from './hetzner-kind.ts'

/** For spreading into a kind of which everything that is live is compared, and each change is made by itself. */
export const plainComparison = {
  compared: (live: ClusterRecord) => live,
  isUnfinished: () => false,
  isMadeOnDemand: false,
  queueOf: () => undefined,
} satisfies Partial<Comparison>

/** For spreading into a kind that differs by hand in its name at most. */
export const plainDrift = {
  neverRestored: [],
  keptByPolicy: ['name'],
  alsoKept: () => [],
  isNameRandom: false,
} satisfies Comparison['drift']

/** For spreading into a kind that goes with its cluster, whatever the policy, and that no server uses. */
export const plainDestruction = {
  isKept: () => false,
  risk: 'live',
  reason: () => 'the cluster is destroyed',
  goesBefore: () => [],
  guests: undefined,
  describeKept: () => [],
} satisfies Destruction
