import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { Fact } from '../store/files/journal.ts'
import type { StateStore } from '../store/state-store.ts'

interface Pending {
  readonly edits: ((inventory: Inventory) => Inventory)[]
  readonly nodeConfigs: Record<string, string | undefined>
  readonly titles: string[]
  readonly facts: Fact[]
}

/**
 * Writes what a run finds out into the state while it goes on working. Writes are serial, and what
 * comes in during one goes together into the next: a hundred nodes that become ready at once make a
 * handful of commits. A failed write is thrown by the next call.
 */
export class StateRecorder {
  readonly #store: StateStore
  #inventory: Inventory
  #pending: Pending | undefined
  #writing: Promise<void> | undefined
  #failure: unknown

  constructor(store: StateStore, inventory: Inventory) {
    this.#store = store
    this.#inventory = inventory
  }

  /** The inventory with everything that was recorded, written or not. */
  get inventory(): Inventory {
    return this.#inventory
  }

  /**
   * Takes a change in and returns at once. `title` becomes part of a commit's message, `facts` of the
   * journal: `flush` before an act that they are about.
   */
  record(
    title: string,
    edit: (inventory: Inventory) => Inventory,
    nodeConfigs: Readonly<Record<string, string | undefined>> = {},
    facts: readonly Fact[] = [],
  ): void {
    this.#throwFailure()
    this.#inventory = edit(this.#inventory)
    this.#pending ??= { edits: [], nodeConfigs: {}, titles: [], facts: [] }
    this.#pending.edits.push(edit)
    this.#pending.titles.push(title)
    this.#pending.facts.push(...facts)
    Object.assign(this.#pending.nodeConfigs, nodeConfigs)
    this.#writing ??= this.#write()
  }

  /** Changes what is known of one node; makes it known if it was not. */
  recordNode(
    title: string,
    node: InventoryNode,
    config?: { readonly text: string | undefined },
  ): void {
    this.record(
      title,
      (inventory) => ({ ...inventory, nodes: withNode(inventory.nodes, node) }),
      config ? { [node.name]: config.text } : {},
    )
  }

  /** Returns when everything that was recorded so far is written. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    this.#throwFailure()
  }

  /**
   * Does work that records, and writes all of it down at the end, also when the work fails: what was
   * done stays done, and the next run should know of it. Throws what the work threw.
   */
  async during(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await this.flush().catch(() => undefined)
      throw error
    }
    await this.flush()
  }

  async #write(): Promise<void> {
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#writeOnce(next)
    } catch (error) {
      this.#failure = error
    } finally {
      this.#writing = undefined
    }
  }

  #take(): Pending | undefined {
    const next = this.#pending
    this.#pending = undefined
    return next
  }

  async #writeOnce({ edits, nodeConfigs, titles, facts }: Pending): Promise<void> {
    await this.#store.update((generation) => {
      const base = generation?.inventory ?? this.#inventory
      const inventory = edits.reduce((known, edit) => edit(known), base)
      return { inventory, nodeConfigs, facts }
    }, messageOf(titles))
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }
}

function withNode(nodes: readonly InventoryNode[], node: InventoryNode): InventoryNode[] {
  const known = nodes.some(({ name }) => name === node.name)
  return known
    ? nodes.map((other) => (other.name === node.name ? { ...other, ...node } : other))
    : [...nodes, node]
}

function messageOf(titles: readonly string[]): string {
  const [first = 'Record', ...others] = titles
  return others.length === 0 ? first : `${first}, and ${others.length} more`
}
