import { etcdMutations } from './etcd-mutations.ts'
import { hetznerMutations } from './hetzner-mutations.ts'
import type { Mutation } from './mutation.ts'
import { recoveryMutations } from './recovery-mutations.ts'
import { runMutations } from './run-mutations.ts'
import { stateMutations } from './state-mutations.ts'

/** All lines that scripts/mutate.ts breaks. */
export const mutations: readonly Mutation[] = [
  ...etcdMutations,
  ...hetznerMutations,
  ...recoveryMutations,
  ...runMutations,
  ...stateMutations,
]
