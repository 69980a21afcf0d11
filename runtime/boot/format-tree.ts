/** The fields of a plugin that are shown. */
interface ShownPlugin {
  readonly name: string
  readonly startedAt: number | undefined
  readonly loadedAt: number | undefined
  readonly children: readonly ShownPlugin[]
}

/** Formats the tree of plugins: a line for each, with its load time, which is -1 while it is loading. @param rest indents the children */
export function formatTree(plugin: ShownPlugin, first = '', rest = ''): string {
  const { name, startedAt = 0, loadedAt, children } = plugin
  const lines = children.map((child, i) => {
    const isLast = i === children.length - 1
    const branch = `${isLast ? '└─' : '├─'}${child.children.length === 0 ? '─ ' : '┬ '}`
    return formatTree(child, rest + branch, rest + (isLast ? '  ' : '│ '))
  })
  const time = loadedAt === undefined ? -1 : loadedAt - startedAt
  return `${first}${name} ${time} ms\n${lines.join('')}`
}
