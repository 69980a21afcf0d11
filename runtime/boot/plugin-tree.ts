/** The fields of a plugin that are shown. */
interface Loaded {
  readonly name: string
  readonly startedAt: number | undefined
  readonly loadedAt: number | undefined
  readonly children: readonly Loaded[]
}

/** Prints the tree of plugins, one line for each, with its load time, which is -1 while it is loading. */
export function printTree(plugin: Loaded, first = '', rest = ''): string {
  const { name, startedAt = 0, loadedAt, children } = plugin
  const lines = children.map((child, i) => {
    const isLast = i === children.length - 1
    const branch = `${isLast ? '└─' : '├─'}${child.children.length === 0 ? '─ ' : '┬ '}`
    return printTree(child, rest + branch, rest + (isLast ? '  ' : '│ '))
  })
  const time = loadedAt === undefined ? -1 : loadedAt - startedAt
  return `${first}${name} ${time} ms\n${lines.join('')}`
}
