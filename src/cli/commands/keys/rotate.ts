import { ClusterError } from '../../../lib/cluster-error.ts'
import { formerIdentityFiles, putInPlace } from '../../../run/identity-files.ts'
import { clusterSettings, newIdentitySetting, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import type { CommandParts } from '../../command-parts.ts'
import { withIgnored } from '../../git-ignore.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, type ValuesOf } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'
import { describeProof } from './describe-proof.ts'
import { readIfThere, readNewIdentity } from './new-identity.ts'

const takes = {
  ...clusterSettings(),
  prepare: flag('--prepare', 'make it, and show what to write into the cluster file'),
  newIdentity: newIdentitySetting('where it is'),
  postQuantum: flag('--post-quantum', 'make one that is safe from quantum computers'),
  yes: yesSetting(),
}

type RotateOptions = ValuesOf<typeof takes>

/**
 * Hands the state over to a new identity: first prepared (the identity is made, and what the cluster file must say
 * is shown), then, when the cluster file says it, carried out.
 */
export const rotate = defineCommand({
  name: 'rotate',
  description: 'hand the state over to a new age identity',
  examples: [
    { purpose: 'first: make the identity, see what to write', line: '--prepare' },
    { purpose: 'then, with that merged: carry it out', line: '' },
  ],
  takes,
  run: (parts, options) => (options.prepare ? prepare(parts, options) : carryOut(parts, options)),
})

async function prepare(
  { terminal, openContext }: CommandParts,
  { config, json, newIdentity: path, postQuantum }: RotateOptions,
): Promise<number> {
  const { isPostQuantum, makeIdentityFile, prepareRotation, refuseLeftOver } = await import(
    '../../../commands/modes/prepare-rotation.ts'
  )
  const { readClusterFile } = await import('../../../commands/modes/cluster-modes.ts')
  const { spec } = readClusterFile(await readCheckedFile(config))
  await using context = await openContext()
  // Made once: what was started with it continues with it.
  const there = await readIfThere(path)
  const next = there ?? (await makeIdentityFile(postQuantum || isPostQuantum(spec)))
  const present = context.state.identity
  if (there !== undefined && postQuantum && !/^AGE-SECRET-KEY-PQ-1/m.test(there)) {
    throw new ClusterError('rotation-unprepared', `${path} holds a classic identity already`, {
      operation: 'prepare a rotation',
      target: path,
      hint: 'Move it away if nothing was started with it, then run this again.',
    })
  }
  const prepared = await prepareRotation(spec, { present, next }, context.redactor)
  if (there !== undefined) await refuseLeftOver(context, spec, { ...prepared, path })
  await ignore([path, formerIdentityFiles])
  if (there === undefined) await writePrivateFile(path, next)
  const { recipients, signer } = prepared.state
  const state = { recipients: [...recipients], signer: [...signer] }
  if (json) printJson(terminal, { path, state, left: [...prepared.left] })
  else {
    const { stringify } = await import('yaml')
    terminal.print(stringify({ state }, { lineWidth: 0 }))
  }
  terminal.report(`${there === undefined ? 'wrote' : 'kept'} ${path}: keep a copy in a safe place`)
  for (const recipient of prepared.left) {
    terminal.report(
      `left out ${recipient}, which is of another kind: let its holder make a key of the new kind`,
    )
  }
  if (prepared.named === 'newest')
    terminal.report(`1. done: ${config} names it; merge that if it is not`)
  else terminal.report(`1. write that into ${config} and merge it`)
  terminal.report(`2. hcloud-talos rotate --config ${config}`)
  terminal.report('3. put the new identity into the environment secret AGE_IDENTITY')
  terminal.report(
    `4. keep the former identity, which opens what was written before: ${putInPlace(path, prepared.epoch)}`,
  )
  return 0
}

async function carryOut(
  { terminal, openContext }: CommandParts,
  { config, json, newIdentity: path }: RotateOptions,
): Promise<number> {
  const { rotateKeys } = await import('../../../commands/keys/rotate-keys.ts')
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const next = await readNewIdentity(path)
  const { recipients, stillReading, proven, ...done } = await rotateKeys(context, { file, next })
  if (json) {
    printJson(terminal, {
      ...done,
      recipients: [...recipients],
      stillReading: [...stillReading],
      proven: { ...proven },
    })
    return 0
  }
  const { rotated, generation, keyEpoch } = done
  terminal.print(
    rotated
      ? `The state is of key epoch ${keyEpoch} now (generation ${generation}), for ${recipients.length} recipients.\n`
      : `Nothing to rotate: the state is of key epoch ${keyEpoch} already, for the recipients of ${config}.\n`,
  )
  for (const recipient of stillReading) {
    terminal.report(`${recipient}, a former identity, can read on: ${config} still names it`)
  }
  terminal.report(describeProof(proven))
  if (next !== undefined) {
    terminal.report(
      `${path} has served: put it where you keep the identity, and keep the former one, which opens what was written before (${putInPlace(path, keyEpoch)}).`,
    )
  }
  if (!rotated) return 0
  terminal.report(
    'Use the new identity alone from now on (HCLOUD_TALOS_AGE_IDENTITY, AGE_IDENTITY).',
  )
  terminal.report(
    "What was written before stays readable for the former key in git's history. If somebody has that key, prepare another identity and run `hcloud-talos revoke`.",
  )
  return 0
}

async function ignore(paths: readonly string[]): Promise<void> {
  const here = paths.filter((path) => !path.includes('/'))
  const present = (await readIfThere('.gitignore')) ?? ''
  const text = withIgnored(present, here)
  if (text !== present) await writePrivateFile('.gitignore', text, { mode: 0o644 })
}
