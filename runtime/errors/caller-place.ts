/** Tells a place in the application as `file:line:column`; `undefined` when nobody can tell. */
import { nodeModule } from '../platform/index.ts'

export type Place = () => string | undefined

/**
 * Remembers from where in the application the framework is being called. Finding out what that is called takes
 * ten times as long as remembering it, and nobody asks unless something is wrong.
 */
export function rememberCaller(): Place {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, rememberCaller)
  return () => callerIn(trace.stack ?? '')
}

/** The folder of this package, by a file of its code: joined to a few files, or as it was compiled. */
const packageRoot = /^.*\/(?=dist\/(?:package|runtime)\/)/

/** Where frames of this package are, in it: with source maps, Node tells them by the files that were joined. */
const ownFolders = ['dist/package/', 'dist/runtime/', 'runtime/']

function callerIn(stack: string): string | undefined {
  // A bundler may have left no place that could be told from the application's.
  if (!import.meta.url?.startsWith('file:')) return undefined
  const { fileURLToPath } = nodeModule('node:url')
  const { relative } = nodeModule('node:path')
  const root = packageRoot.exec(import.meta.url)?.[0]
  const own =
    root === undefined
      ? [fileURLToPath(new URL('.', import.meta.url))]
      : ownFolders.map((folder) => fileURLToPath(new URL(folder, root)))
  for (const line of stack.split('\n')) {
    // Frames of ES modules name a URL, those of CommonJS a path.
    const [, source, position] = /((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/.exec(line) ?? []
    if (source === undefined) continue
    const file = source.startsWith('file:') ? fileURLToPath(source) : source
    if (!own.some((folder) => file.startsWith(folder)))
      return `${relative(process.cwd(), file)}${position}`
  }
  return undefined
}
