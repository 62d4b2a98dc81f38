import type { AppliedKind } from '../talos-kind.ts'

/**
 * etcd as a whole. It begins on the first control plane, and only when all of them answer: one that cannot be asked could
 * be a member already.
 */
export const etcdKind: AppliedKind = {
  name: 'etcd',
  comparedBy: 'apply',
  desire: ({ spec, nodes }) => [
    {
      kind: 'etcd',
      name: spec.clusterName,
      spec: {},
      needs: nodes
        .filter(({ role }) => role === 'control-plane')
        .map(({ name }) => `node/${name}` as const),
    },
  ],
  live: ({ inventory: { bootstrapped, clusterName } }) =>
    bootstrapped ? [{ kind: 'etcd', name: clusterName, spec: {}, needs: [] }] : [],
  rules: () => ({
    create: () => ({ risk: 'additive', reason: 'the cluster was never bootstrapped' }),
    update: () => {
      throw new Error('etcd has nothing that could differ')
    },
    delete: () => ({ risk: 'data-loss', reason: 'the cluster goes' }),
  }),
  versionFields: new Set(),
  phase: 'etcd',
  upgrade: undefined,
}
