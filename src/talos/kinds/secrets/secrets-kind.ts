import type { AppliedKind } from '../talos-kind.ts'
import { describeSecretsUpdate, desiredSecrets } from './secrets-record.ts'

/** The secrets of a cluster, and for whom the state branch keeps them. */
export const secretsKind: AppliedKind = {
  name: 'secrets',
  comparedBy: 'apply',
  desire: ({ spec }) => [
    { kind: 'secrets', name: spec.clusterName, spec: desiredSecrets(spec.state), needs: [] },
  ],
  live: ({ inventory, secrets }) =>
    secrets ? [{ kind: 'secrets', name: inventory.clusterName, spec: secrets, needs: [] }] : [],
  rules: () => ({
    create: () => ({ risk: 'additive', reason: 'the cluster has none yet' }),
    update: (_before, _after, fields) => ({ action: 'update', ...describeSecretsUpdate(fields) }),
    delete: () => ({ risk: 'data-loss', reason: 'the cluster goes' }),
  }),
  versionFields: new Set(),
  phase: 'secrets',
  upgrade: undefined,
}
