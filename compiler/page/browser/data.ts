/** Data of a context for the tree. */
export interface TreeContext {
  /** Id of the element with its details. */
  readonly id: string
  readonly name: string
  /** Without the parent's prefix. */
  readonly prefix: string
  /** Id of the parent context. */
  readonly parent: string | undefined
  /** Number of schemas that it adds. */
  readonly schemas: number
  readonly hooks: number
  readonly plugins: number
  /** Methods of its routes. */
  readonly methods: readonly string[]
}
