import type { ContextNode } from '../model/index.ts'

/**
 * Returns the path of each context, such as `root > api > books`. Siblings with the same name are numbered:
 * `books#2`.
 */
export function contextPaths(root: ContextNode): ReadonlyMap<ContextNode, string> {
  const paths = new Map<ContextNode, string>()
  visit(root, root.name)
  return paths

  function visit(context: ContextNode, path: string): void {
    paths.set(context, path)
    const counts = new Map<string, number>()
    for (const child of context.children) {
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      visit(child, `${path} > ${child.name}${count === 1 ? '' : `#${count}`}`)
    }
  }
}

/** Returns whether the context of the path `inner` is `outer` or inside of it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer} > `)
}
