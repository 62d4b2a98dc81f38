import type { ApiSshKey } from '../../api/ssh-keys.ts'
import { listComplete } from '../../list-complete.ts'
import type { HetznerKind } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { applySshKey } from './apply-ssh-key.ts'
import { desireSshKey, liveSshKey, sshKeyRules } from './ssh-key-record.ts'

export const sshKeyKind: HetznerKind<ApiSshKey> = {
  name: 'ssh-key',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: ({ sshKeys }, { known }) => listComplete('ssh-key', sshKeys, known),
    nameOf: (_key, { clusterName }) => clusterName,
    isOfControllers: () => false,
    live: liveSshKey,
  },
  desire: ({ spec, identity }) => desireSshKey(spec, identity),
  compare: { ...plainComparison, rules: sshKeyRules, drift: plainDrift },
  apply: applySshKey,
  destroy: plainDestruction,
  phase: 'resources',
}
