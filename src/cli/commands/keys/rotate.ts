import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import {
  isPostQuantum,
  makeIdentityFile,
  prepareRotation,
  refuseLeftOver,
} from '../../../commands/keys/prepare-rotation.ts'
import { type RotatedKeys, rotateKeys } from '../../../commands/keys/rotate-keys.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { fileFailure } from '../../../lib/file-failure.ts'
import { formerIdentityFiles, putInPlace } from '../../../run/identity-files.ts'
import { withIgnored } from '../../git-ignore.ts'
import type { RotateOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/**
 * Hands the state over to a new identity: first prepared (the identity is made, and what the cluster file must say
 * is shown), then, when the cluster file says it, carried out.
 */
export async function rotateCommand(parts: CommandParts, options: RotateOptions): Promise<number> {
  return options.prepare ? prepare(parts, options) : rotate(parts, options)
}

async function prepare(
  { terminal, openContext }: CommandParts,
  { config, json, newIdentity: path, postQuantum }: RotateOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  // Made once: what was begun with it goes on with it.
  const there = await readIfThere(path)
  const next = there ?? (await makeIdentityFile(postQuantum || isPostQuantum(file)))
  const present = context.state.identity
  if (there !== undefined && postQuantum && !/^AGE-SECRET-KEY-PQ-1/m.test(there)) {
    throw new ClusterError('rotation-unprepared', `${path} holds a classic identity already`, {
      operation: 'prepare a rotation',
      target: path,
      hint: 'Move it away if nothing was begun with it, then run this again.',
    })
  }
  const prepared = await prepareRotation(file, { present, next }, context.redactor)
  if (there !== undefined) await refuseLeftOver(context, file, { ...prepared, path })
  await ignore([path, formerIdentityFiles])
  if (there === undefined) await writePrivateFile(path, next)
  const { recipients, signer } = prepared.state
  const state = { recipients: [...recipients], signer: [...signer] }
  if (json) printJson(terminal, { path, state, left: [...prepared.left] })
  else terminal.print(stringify({ state }, { lineWidth: 0 }))
  terminal.tell(`${there === undefined ? 'wrote' : 'kept'} ${path}: keep a copy in a safe place`)
  for (const recipient of prepared.left) {
    terminal.tell(
      `left out ${recipient}, which is of another kind: let its holder make a key of the new kind`,
    )
  }
  if (prepared.named === 'newest')
    terminal.tell(`1. done: ${config} says that; merge it if it is not`)
  else terminal.tell(`1. write that into ${config} and merge it`)
  terminal.tell(`2. hcloud-talos rotate --config ${config}`)
  terminal.tell('3. put the new identity into the environment secret AGE_IDENTITY')
  terminal.tell(
    `4. keep the former identity, which opens what was written before: ${putInPlace(path, prepared.epoch)}`,
  )
  return 0
}

async function rotate(
  { terminal, openContext }: CommandParts,
  { config, json, newIdentity: path }: RotateOptions,
): Promise<number> {
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
    terminal.tell(`${recipient}, a former identity, can read on: ${config} still names it`)
  }
  terminal.tell(describeProof(proven))
  if (next !== undefined) {
    terminal.tell(
      `${path} has served: put it where you keep the identity, and keep the former one, which opens what was written before (${putInPlace(path, keyEpoch)}).`,
    )
  }
  if (!rotated) return 0
  terminal.tell('Use the new identity alone from now on (HCLOUD_TALOS_AGE_IDENTITY, AGE_IDENTITY).')
  terminal.tell(
    "What was written before stays readable for the former key in git's history. If somebody has that key, prepare another identity and run `hcloud-talos revoke`.",
  )
  return 0
}

/** What was seen before it was said that a rotation is done. */
export function describeProof({ files, identities }: RotatedKeys['proven']): string {
  const tried =
    identities === 0
      ? 'no former identity was at hand to try'
      : `${identities} former ${identities === 1 ? 'identity was' : 'identities were'} tried and opened none`
  return `All ${files} secret files are for the recipients of the cluster file and nobody else; ${tried}.`
}

async function ignore(paths: readonly string[]): Promise<void> {
  const here = paths.filter((path) => !path.includes('/'))
  const present = (await readIfThere('.gitignore')) ?? ''
  const text = withIgnored(present, here)
  if (text !== present) await writePrivateFile('.gitignore', text, { mode: 0o644 })
}

/** The identity that was prepared, where there is one. */
export function readNewIdentity(path: string): Promise<string | undefined> {
  return readIfThere(path)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFailure(error, path)
  }
}
