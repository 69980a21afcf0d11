/** A package.json that changes, with the words for it. */
export interface Draft {
  text: string
  readonly changes: string[]
  /** What is left to do by hand. */
  readonly notes: string[]
}
