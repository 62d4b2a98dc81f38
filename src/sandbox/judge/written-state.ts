/** A fact of the journal, as it stands on the state branch. */
export interface WrittenFact {
  readonly fact: string
  readonly node?: string
  readonly at: string
  readonly run: string
}

/** What a cluster's folder on the state branch says. Undefined parts cannot be read without the key. */
export interface WrittenCluster {
  readonly facts: readonly WrittenFact[] | undefined
  readonly nodes: readonly string[] | undefined
}

export type StateReader = () => Promise<ReadonlyMap<string, WrittenCluster>>

/** What is on the state branch at the moment of an act. */
export class WrittenState {
  /** Absent in worlds without a repository, where nothing is written down. */
  reader: StateReader | undefined
  /** Clusters that were ever seen on the branch. */
  readonly #seen = new Set<string>()
  /** Facts that stood for an act that was done. */
  readonly #spent = new Set<string>()

  /**
   * Whether this fact is written down; always where it cannot be known. With `once` it stands for one act
   * of its kind: the next one takes another fact.
   */
  async has(
    cluster: string,
    fact: string,
    { node, once = false }: { readonly node?: string; readonly once?: boolean } = {},
  ): Promise<boolean> {
    const state = await this.#read()
    if (state === undefined) return true
    const written = state.get(cluster)
    if (written === undefined) return false
    if (written.facts === undefined) return true
    const fits = written.facts.filter(
      (entry) => entry.fact === fact && (node === undefined || entry.node === node),
    )
    const found = fits.find((entry) => !once || !this.#spent.has(idOf(cluster, entry)))
    if (found !== undefined && once) this.#spent.add(idOf(cluster, found))
    return found !== undefined
  }

  /** Whether the inventory has a node; always where it cannot be known. */
  async hasNode(cluster: string, node: string): Promise<boolean> {
    const state = await this.#read()
    if (state === undefined) return true
    const written = state.get(cluster)
    return written !== undefined && (written.nodes?.includes(node) ?? true)
  }

  /** Whether the state of this cluster was there, and is no longer. */
  async isGone(cluster: string): Promise<boolean> {
    const state = await this.#read()
    return state !== undefined && this.#seen.has(cluster) && !state.has(cluster)
  }

  /** Clusters whose state was there, and is no longer. */
  async gone(): Promise<string[]> {
    const state = await this.#read()
    return state === undefined ? [] : [...this.#seen].filter((cluster) => !state.has(cluster))
  }

  async #read(): Promise<ReadonlyMap<string, WrittenCluster> | undefined> {
    const state = await this.reader?.()
    for (const cluster of state?.keys() ?? []) this.#seen.add(cluster)
    return state
  }
}

function idOf(cluster: string, { fact, node = '', at, run }: WrittenFact): string {
  return JSON.stringify([cluster, fact, node, at, run])
}
