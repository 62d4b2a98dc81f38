/** A line on which the safety of clusters hangs, and how to break it. */
export interface Mutation {
  /** Short, in kebab-case: what is lost when it is broken. */
  readonly id: string
  readonly file: string
  /** Stands exactly once in the file; as short as it can be, since files change. */
  readonly find: string
  readonly replace: string
  /** What would happen to somebody. */
  readonly why: string
  /** Test files of which at least one must fail. They run the sources, not `dist/`. */
  readonly tests: readonly string[]
  /** Only the tests of those files whose full names match this pattern: it saves time, and no more. */
  readonly only?: string
}
