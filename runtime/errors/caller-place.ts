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

/** This file as it is compiled for the tests of this project; published, it is joined with others in one folder. */
const NOT_JOINED = /(?<=\/)dist\/(?=runtime\/errors\/[^/]+$)/

function callerIn(stack: string): string | undefined {
  // A bundler may have left no place that could be told from the application's.
  if (!import.meta.url?.startsWith('file:')) return undefined
  const { fileURLToPath } = nodeModule('node:url')
  const { relative } = nodeModule('node:path')
  const here = import.meta.url
  // With source maps, stacks name the files that the code was written in.
  const own = NOT_JOINED.test(here)
    ? [new URL('..', here), new URL('..', here.replace(NOT_JOINED, ''))]
    : [new URL('.', here)]
  const folders = own.map((url) => fileURLToPath(url))
  for (const line of stack.split('\n')) {
    // Frames of ES modules name a URL, those of CommonJS a path.
    const [, source, position] = /((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/.exec(line) ?? []
    if (source === undefined) continue
    const file = source.startsWith('file:') ? fileURLToPath(source) : source
    if (!folders.some((folder) => file.startsWith(folder)))
      return `${relative(process.cwd(), file)}${position}`
  }
  return undefined
}
