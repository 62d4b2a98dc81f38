/** What the rig's user can do something about: this machine, its disk, its network. Not one of the product's codes. */
export class RigError extends Error {
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RigError'
    this.hint = hint
  }
}
