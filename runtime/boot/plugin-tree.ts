/** The fields of a plugin that are shown. */
export interface Loaded {
  readonly name: string
  readonly startedAt: number | undefined
  readonly loadedAt: number | undefined
  readonly children: readonly Loaded[]
}

/** A plugin with its load time in milliseconds, which is -1 while it is loading. */
export interface PluginTree {
  readonly id: string
  readonly parent: string | null
  readonly label: string
  readonly nodes: readonly PluginTree[]
  readonly start: number
  readonly stop: number | null
  readonly diff: number
}

/** Returns the tree of plugins as data. */
export function toTree(root: Loaded): PluginTree {
  return nodeOf(root, null, 'root')
}

/** Prints the tree of plugins, one line for each. */
export function printTree(root: Loaded): string {
  return print(toTree(root), '', '')
}

function nodeOf(plugin: Loaded, parent: string | null, id: string): PluginTree {
  const { name: label, startedAt: start = 0, loadedAt: stop = null } = plugin
  const nodes = plugin.children.map((child, i) => nodeOf(child, label, `${id}/${i}`))
  return { parent, id, label, nodes, start, stop, diff: stop === null ? -1 : stop - start }
}

function print({ label, diff, nodes }: PluginTree, first: string, rest: string): string {
  const lines = nodes.map((node, i) => {
    const isLast = i === nodes.length - 1
    const branch = `${isLast ? '└─' : '├─'}${node.nodes.length === 0 ? '─ ' : '┬ '}`
    return print(node, rest + branch, rest + (isLast ? '  ' : '│ '))
  })
  return `${first}${label} ${diff} ms\n${lines.join('')}`
}
