/** A cluster file as a run has it before it: commands take texts, so that they need no disk. */
export interface ClusterFile {
  /** For messages. */
  readonly path: string
  readonly text: string
}
