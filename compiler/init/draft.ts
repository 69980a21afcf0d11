/** A package.json that is being changed, with descriptions of the changes. */
export interface Draft {
  text: string
  readonly changes: string[]
  /** Descriptions of what is left to do by hand. */
  readonly notes: string[]
}
