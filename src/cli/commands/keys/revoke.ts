import { putInPlace } from '../../../run/identity-files.ts'
import type { RevocationWords } from '../../../run/mode/cluster-keys.ts'
import { clusterSettings, newIdentitySetting, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { describeProof } from './describe-proof.ts'
import { readNewIdentity } from './new-identity.ts'

/** Replaces what somebody with a former key knows, and reports what that does not take back. */
export const revoke = defineCommand({
  name: 'revoke',
  description: 'replace what somebody with a former identity knows',
  examples: [{ purpose: 'the former identity is known to somebody', line: '' }],
  takes: {
    ...clusterSettings(),
    newIdentity: newIdentitySetting('where the new identity is'),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, yes, newIdentity }) {
    const { revokeCluster } = await import('../../../commands/keys/revoke-cluster.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const confirm = async ({ replaced, madeVoid, stillValid }: RevocationWords) => {
      terminal.report(
        replaced === undefined
          ? 'This hands the state over to the new identity; the state has no key of the nodes.'
          : `This gives every node another ${replaced}, without a reboot.`,
      )
      terminal.report(`${madeVoid ? `${madeVoid} is void afterwards. ` : ''}What stays valid:`)
      for (const { what, means } of stillValid) terminal.report(`  - ${what}: ${means}`)
      if (yes) return true
      if (terminal.questions === 'nobody') return false
      return (await terminal.ask('Carry this out? Only "yes" does: ')) === 'yes'
    }
    const next = await readNewIdentity(newIdentity)
    const done = await revokeCluster(context, { file, next, confirm })
    const { revoked, keys, nodes, isFormerTried, words } = done
    if (!revoked || !keys) throw notConfirmed('Answer yes, or give --yes.')
    if (json) {
      printJson(terminal, {
        keyEpoch: keys.keyEpoch,
        nodes,
        formerAuthorityTried: isFormerTried,
        recipients: [...keys.recipients],
        proven: { ...keys.proven },
        stillValid: words.stillValid.map((each) => ({ ...each })),
      })
      return 0
    }
    const replaced = words.replaced && `; ${nodes} nodes have another ${words.replaced}`
    terminal.print(`The state is of key epoch ${keys.keyEpoch}${replaced ?? ''}.\n`)
    if (nodes > 0) terminal.print(`${describeTrial(isFormerTried, words)}\n`)
    terminal.print(`${describeProof(keys.proven)}\n`)
    terminal.print(`The new secrets can be read by: ${keys.recipients.join(', ')}\n`)
    terminal.print('Still valid for whoever could read the state:\n')
    for (const { what, means, remedy } of words.stillValid) {
      terminal.print(`  - ${what}: ${means}\n      → ${remedy}\n`)
    }
    if (next !== undefined) {
      terminal.report(
        `${newIdentity} has served: put it where you keep the identity, and keep the former one, which opens what was written before (${putInPlace(newIdentity, keys.keyEpoch)}).`,
      )
    }
    return 0
  },
})

function describeTrial(isFormerTried: boolean, { tried, untried }: RevocationWords): string {
  return isFormerTried ? `Every node rejected ${tried}.` : untried
}
