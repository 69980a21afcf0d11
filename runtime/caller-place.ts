/** Where in the application the framework was called, as `file:line:column`; `undefined` when nobody can tell. */
export function callerPlace(): string | undefined {
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  const { relative } = process.getBuiltinModule('node:path')
  const own = fileURLToPath(new URL('.', import.meta.url))
  for (const line of new Error('place').stack?.split('\n') ?? []) {
    // Frames of ES modules name a URL, those of CommonJS a path.
    const [, source, position] = /((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/.exec(line) ?? []
    if (source === undefined) continue
    const file = source.startsWith('file:') ? fileURLToPath(source) : source
    if (!file.startsWith(own)) return `${relative(process.cwd(), file)}${position}`
  }
  return undefined
}
