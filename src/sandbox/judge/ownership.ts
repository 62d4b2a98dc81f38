/**
 * What the product, or a controller of a cluster of its own, has made in a project. Ids are never given
 * twice, whatever the kind.
 */
export class Ownership {
  readonly #made = new Set<number>()

  /** Also for what a test says was made by an earlier run that it left out. */
  add(id: number): void {
    this.#made.add(id)
  }

  has(id: number): boolean {
    return this.#made.has(id)
  }

  /** Whether anything was made at all: before that a test drives the API itself. */
  get isEmpty(): boolean {
    return this.#made.size === 0
  }
}
