import type { RotatedKeys } from '../../../commands/modes/rotate-in-mode.ts'

/** What was seen before it was said that a rotation is done. */
export function describeProof({ files, identities }: RotatedKeys['proven']): string {
  const tried =
    identities === 0
      ? 'no former identity was at hand to try'
      : `${identities} former ${identities === 1 ? 'identity was' : 'identities were'} tried and opened none`
  return `All ${files} secret files are for the recipients of the cluster file and nobody else; ${tried}.`
}
