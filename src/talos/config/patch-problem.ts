import type { Path } from './merge-rules.ts'

/** What is wrong with a patch, or why it cannot be applied; says where, quotes no value. */
export class PatchProblem extends Error {
  override readonly name = 'PatchProblem'
  /** What of the patch it is about: keys from the top of a document; empty for all of it. */
  readonly at: Path
  /** The kind of that document; empty for the machine config itself. */
  readonly kind: string

  constructor(message: string, { at = [], kind = '' }: { at?: Path; kind?: string } = {}) {
    super(message)
    this.at = at
    this.kind = kind
  }
}
