/** By what a cluster that is adopted will be known. */
export interface AdoptedBy {
  readonly uid: string
  /** Of a state that an adoption wrote which was cut off. */
  readonly authority: string | undefined
}
