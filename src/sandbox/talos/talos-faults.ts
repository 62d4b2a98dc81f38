/** A call that goes wrong. */
export interface CallFault {
  /** The machine's name; any where absent. */
  readonly node?: string
  /** Such as `Bootstrap`; any where absent. */
  readonly method?: string
  /** How many calls it hits; once where absent. */
  readonly times?: number
}

/** What may go wrong on simulated nodes: inputs that a test sets, by the machine's name. */
export class TalosFaults {
  readonly #stuckBooting = new Set<string>()
  readonly #hanging = new Map<string, PromiseWithResolvers<void>>()
  readonly #refusals = new Map<string, string>()
  readonly #schematics = new Map<string, string>()
  readonly #imageRefusals = new Map<string, string>()
  readonly #upgradeFailures = new Map<string, number>()
  readonly #otherKeys = new Map<string, number>()
  readonly #mislabelled = new Map<string, string>()
  readonly #oldContainers = new Map<string, string>()
  #failing: { fault: CallFault; left: number; message: string }[] = []
  readonly #lost: { fault: CallFault; left: number }[] = []

  /** Once configured, the node's API answers, but it never gets further than booting. */
  stuckBooting(node: string): void {
    this.#stuckBooting.add(node)
  }

  /** The node's API takes connections and answers no call, until `release`; then it answers these too. */
  hang(node: string): void {
    if (!this.#hanging.has(node)) this.#hanging.set(node, Promise.withResolvers())
  }

  /** The node refuses every config with this reason, until `release`. */
  refuseConfig(node: string, reason: string): void {
    this.#refusals.set(node, reason)
  }

  /** The installer ends with exit code 1 the next `times` times. */
  failUpgrade(node: string, times = 1): void {
    this.#upgradeFailures.set(node, times)
  }

  /**
   * In maintenance `connections` more connections are the node's own; then somebody stands in between, and
   * shows another key.
   */
  otherKeyAfter(node: string, connections: number): void {
    this.#otherKeys.set(node, connections)
  }

  /** For the node: whether this connection is the first of whoever stands in between. */
  takeOtherKey(node: string): boolean {
    const left = this.#otherKeys.get(node)
    if (left === undefined) return false
    if (left > 0) this.#otherKeys.set(node, left - 1)
    else this.#otherKeys.delete(node)
    return left === 0
  }

  /** The call is refused with this message, and has no effect. */
  failCall(fault: CallFault, message: string): void {
    this.#failing.push({ fault, left: fault.times ?? 1, message })
  }

  /** Images whose names hold this text cannot be pulled on the node, until `release`. */
  refuseImages(node: string, text: string): void {
    this.#imageRefusals.set(node, text)
  }

  /** Images whose names hold this text are of this version, whatever their tag says. */
  mislabel(text: string, version: string): void {
    this.#mislabelled.set(text, version)
  }

  labelledInstead(reference: string): string | undefined {
    return [...this.#mislabelled].find(([text]) => reference.includes(text))?.[1]
  }

  /** The node's kubelet does not take up what Talos renders of this static pod, until `release`. */
  keepContainer(node: string, component: string): void {
    this.#oldContainers.set(node, component)
  }

  keepsContainer(node: string, component: string): boolean {
    return this.#oldContainers.get(node) === component
  }

  /** The installer that the node gets is another image's of the same version, until `release`. */
  otherSchematic(node: string, schematic: string): void {
    this.#schematics.set(node, schematic)
  }

  schematicInstead(node: string): string | undefined {
    return this.#schematics.get(node)
  }

  /** The call has its effect, then the connection breaks: the answer is lost. */
  loseAnswer(fault: CallFault): void {
    this.#lost.push({ fault, left: fault.times ?? 1 })
  }

  /** Nothing is wrong with this node any longer. */
  release(node: string): void {
    this.#stuckBooting.delete(node)
    this.#hanging.get(node)?.resolve()
    this.#hanging.delete(node)
    this.#refusals.delete(node)
    this.#upgradeFailures.delete(node)
    this.#failing = this.#failing.filter(({ fault }) => fault.node !== node)
    this.#imageRefusals.delete(node)
    this.#oldContainers.delete(node)
    this.#schematics.delete(node)
  }

  isStuckBooting(node: string): boolean {
    return this.#stuckBooting.has(node)
  }

  /** Resolves when the node hangs no longer; undefined where it does not hang. */
  hanging(node: string): Promise<void> | undefined {
    return this.#hanging.get(node)?.promise
  }

  configRefusal(node: string): string | undefined {
    return this.#refusals.get(node)
  }

  refusesImage(node: string, reference: string): boolean {
    const text = this.#imageRefusals.get(node)
    return text !== undefined && reference.includes(text)
  }

  takeUpgradeFailure(node: string): boolean {
    const left = this.#upgradeFailures.get(node) ?? 0
    if (left > 0) this.#upgradeFailures.set(node, left - 1)
    return left > 0
  }

  takeFailure(node: string, method: string): string | undefined {
    return take(this.#failing, node, method)?.message
  }

  takeLostAnswer(node: string, method: string): boolean {
    return take(this.#lost, node, method) !== undefined
  }
}

/** The first fault that hits this call, used up by one. */
function take<T extends { readonly fault: CallFault; left: number }>(
  faults: T[],
  node: string,
  method: string,
): T | undefined {
  const index = faults.findIndex(
    ({ fault }) =>
      (fault.node === undefined || fault.node === node) &&
      (fault.method === undefined || fault.method === method),
  )
  const found = faults[index]
  if (found === undefined) return undefined
  found.left--
  if (found.left <= 0) faults.splice(index, 1)
  return found
}
