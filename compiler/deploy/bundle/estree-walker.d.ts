/** Version 2, which rollup's plugins use too, doesn't export its types. */
declare module 'estree-walker' {
  import type { Node } from 'estree'

  export function walk(
    node: Node,
    handlers: {
      enter(this: { skip(): void }, node: Node, parent: Node | null): void
      leave?(node: Node): void
    },
  ): void
}
