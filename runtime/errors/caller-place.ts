/** Finds the application's code that called the framework, for errors. */
import { nodeModule } from '../platform/index.ts'

/** Returns a place in the application, as `file:line:column`. Undefined if it's unknown. */
export type Place = () => string | undefined

/**
 * Remembers the application's call of the framework. Formatting a stack takes ten times as long as capturing
 * it, and it's only needed after an error.
 */
export function rememberCaller(): Place {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, rememberCaller)
  return () => callerIn(trace.stack ?? '')
}

/** This file as compiled for this project's tests. The published file is joined with others in one folder. */
const NOT_JOINED = /(?<=\/)dist\/(?=runtime\/errors\/[^/]+$)/

function callerIn(stack: string): string | undefined {
  // Bundles in browsers, say, have no path to compare frames with.
  if (!import.meta.url?.startsWith('file:')) return undefined
  const { fileURLToPath } = nodeModule('node:url')
  const { relative } = nodeModule('node:path')
  const here = import.meta.url
  // With source maps, stacks name the original files.
  const own = NOT_JOINED.test(here)
    ? [new URL('..', here), new URL('..', here.replace(NOT_JOINED, ''))]
    : [new URL('.', here)]
  const folders = own.map((url) => fileURLToPath(url))
  for (const line of stack.split('\n')) {
    // Frames of ES modules have a URL, those of CommonJS a path.
    const [, source, position] = /((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/.exec(line) ?? []
    if (source === undefined) continue
    const file = source.startsWith('file:') ? fileURLToPath(source) : source
    if (!folders.some((folder) => file.startsWith(folder)))
      return `${relative(process.cwd(), file)}${position}`
  }
  return undefined
}
