import { type Invariant, invariants } from './invariant.ts'
import { OutputJudge } from './output-judge.ts'
import { Ownership } from './ownership.ts'
import { RunJudge } from './run-judge.ts'
import { WrittenState } from './written-state.ts'

/** Something that breaks an invariant unless what follows excuses it: a destroy stops all voters. */
interface Suspicion {
  readonly invariant: Invariant
  readonly what: string
  isExcused(): boolean
}

type Watcher = (judge: Judge) => void

const watchers = new Set<Watcher>()

/** For test runners: gets the judge of every world that is made in this process, until what is returned is called. */
export function watchJudges(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/**
 * Watches what the product does to one world, and holds it against the invariants. Fronts report what
 * they are about to do; hands of a test, which are not the product, are not judged.
 */
export class Judge {
  readonly ownership = new Ownership()
  readonly outputs = new OutputJudge()
  readonly written = new WrittenState()
  readonly runs = new RunJudge()
  readonly #violations: { readonly invariant: Invariant; readonly what: string }[] = []
  readonly #suspicions: Suspicion[] = []
  readonly #expected = new Map<Invariant, { readonly why: string; met: boolean }>()
  readonly #onConstruction: (() => void)[] = []
  #isOver = false

  constructor() {
    for (const watcher of watchers) watcher(this)
  }

  /** A test is about to break this one deliberately; it fails if the invariant holds all the same. */
  expect(invariant: Invariant, why: string): void {
    this.#expected.set(invariant, { why, met: false })
  }

  broken(invariant: Invariant, what: string): void {
    this.#violations.push({ invariant, what })
  }

  /** Broken, unless it turns out to be excused by the end of the world. */
  suspect(invariant: Invariant, what: string, isExcused: () => boolean): void {
    this.#suspicions.push({ invariant, what, isExcused })
  }

  /** The product makes something, or configures a node: it does not destroy its cluster now. */
  constructs(): void {
    for (const listener of this.#onConstruction) listener()
  }

  onConstruction(listener: () => void): void {
    this.#onConstruction.push(listener)
  }

  /** The world ends: what was suspected is judged. */
  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { invariant, what, isExcused } of this.#suspicions.splice(0)) {
      if (!isExcused()) this.broken(invariant, what)
    }
    for (const what of this.outputs.leaks()) this.broken('no-secret-in-output', what)
  }

  /** What was broken since the last call, in sentences, and what was to be broken and was not. */
  verdict(): string[] {
    const found = this.#violations.splice(0).flatMap(({ invariant, what }) => {
      const expected = this.#expected.get(invariant)
      if (expected === undefined) return [`${invariant} (${invariants[invariant]}): ${what}`]
      expected.met = true
      return []
    })
    if (!this.#isOver) return found
    const unmet = [...this.#expected].filter(([, { met }]) => !met)
    this.#expected.clear()
    return [
      ...found,
      ...unmet.map(([name, { why }]) => `${name} was to be broken and holds: ${why}`),
    ]
  }
}
