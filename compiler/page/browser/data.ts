/** A context, as the page gets it for its picture. */
export interface TreeContext {
  /** Of the element that says all about it. */
  readonly id: string
  readonly name: string
  /** What it adds to the prefix of the context around it. */
  readonly prefix: string
  /** The id of the context around it. */
  readonly parent: string | undefined
  /** How many it adds. */
  readonly schemas: number
  readonly hooks: number
  readonly plugins: number
  /** Of its routes. */
  readonly methods: readonly string[]
}
