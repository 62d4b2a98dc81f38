/** What is wrong with a patch, or why it cannot be applied; says where, quotes no value. */
export class PatchProblem extends Error {
  override readonly name = 'PatchProblem'
}
