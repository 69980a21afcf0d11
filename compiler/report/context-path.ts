import type { ContextNode, ContextTree, InstanceTree } from '../model/index.ts'

/** Returns the instances of an application, the main one first. */
export function instancesOf(tree: ContextTree): readonly InstanceTree[] {
  return [tree, ...tree.others]
}

/**
 * Returns the path of each context, such as `root > api > books`. Siblings with the same name are numbered, and
 * so are the roots of several instances: `books#2`, `root#2`.
 */
export function contextPaths(tree: ContextTree): ReadonlyMap<ContextNode, string> {
  const paths = new Map<ContextNode, string>()
  const roots = instancesOf(tree).map(({ root }) => root)
  visit(roots, '')
  return paths

  function visit(siblings: readonly ContextNode[], outer: string): void {
    const counts = new Map<string, number>()
    for (const context of siblings) {
      const count = (counts.get(context.name) ?? 0) + 1
      counts.set(context.name, count)
      const path = `${outer}${context.name}${count === 1 ? '' : `#${count}`}`
      paths.set(context, path)
      visit(context.children, `${path} > `)
    }
  }
}

/** Returns the first name of a context's path. It identifies the instance: `root`, `root#2`. */
export function rootOf(context: string): string {
  return context.split(' > ', 1)[0] as string
}

/** Returns whether the context of the path `inner` is `outer` or inside of it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer} > `)
}
