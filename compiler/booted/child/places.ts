import { existsSync } from 'node:fs'
import { createRequire, findSourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitStack } from '../../../runtime/errors/stack-limit.ts'
import type { RecordedPlace } from '../recording.ts'
import { placeOfMissingImport } from './missing-import.ts'

/** The origin of a call. */
export interface Caller {
  /** The nearest line of the application, across packages in between. Undefined if there is none. */
  readonly at: RecordedPlace | undefined
  /** All lines of the application that lead to the call, nearest first. */
  readonly trail: readonly RecordedPlace[]
  /** True if the nearest code outside of the server belongs to a package. */
  readonly isOfPackage: boolean
}

/** Folders of the compiler's and the runtime's code, which is between the application and the recorder. */
const own = [
  fileURLToPath(import.meta.url),
  createRequire(import.meta.url).resolve('framework'),
].map((file) => file.replace(/(?<=[\\/]dist[\\/]).*/, ''))

/** Packages that call on behalf of their caller. */
const servers = /[\\/]node_modules[\\/](?:fastify|avvio|fastify-plugin|framework)[\\/]/

/** Number of stack frames to search: packages may be in between. */
export const FRAMES = 100

/** Finds the caller of the calling function. */
export function findCaller(): Caller {
  return callerIn(frames())
}

/** Returns the line of the application that an error comes from. */
export function placeOfError(error: unknown): RecordedPlace | undefined {
  if (!(error instanceof Error)) return undefined
  const missing = placeOfMissingImport(error)
  if (missing !== undefined && isApplication(missing.file)) return missing
  // The stack may have been captured earlier.
  return framesIn(error.stack).find(({ file }) => isApplication(file) && existsSync(file))
}

/** Returns whether a file belongs to the application. */
export function isApplication(file: string): boolean {
  return path.isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && !isOwn(file)
}

function isOwn(file: string): boolean {
  return own.some((folder) => file.startsWith(folder))
}

interface Frame extends RecordedPlace {
  /** V8's name of the file if line and column refer to the generated code. */
  readonly script?: string
}

function frames(): readonly Frame[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  const isLimited = limitStack(FRAMES)
  const isTold = Reflect.set(Error, 'prepareStackTrace', toFrames)
  Error.captureStackTrace(holder, findCaller)
  const { stack } = holder
  if (isTold) Error.prepareStackTrace = prepareStackTrace as typeof Error.prepareStackTrace
  if (isLimited) limitStack(stackTraceLimit)
  // If the application has frozen built-in objects, the stack is a text.
  return isTold ? (stack as readonly Frame[]) : framesIn(stack as string)
}

function toFrames(_error: unknown, sites: readonly NodeJS.CallSite[]): readonly Frame[] {
  return sites.flatMap((site) => {
    const script = site.getFileName()
    if (!script || script.startsWith('node:')) return []
    const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1]
    return { file: toPath(script), line, column, script }
  })
}

/** Parses a stack text, whose positions are those of the source. */
function framesIn(stack: string | undefined): readonly Frame[] {
  return (stack ?? '').split('\n').flatMap((text) => {
    const [, name, line, column] =
      /(?:^|[\s(])((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):(\d+)\)?$/.exec(text) ?? []
    if (name === undefined) return []
    return { file: toPath(name), line: Number(line), column: Number(column) }
  })
}

function callerIn(found: readonly Frame[]): Caller {
  let nearest: string | undefined
  const trail: RecordedPlace[] = []
  for (const frame of found) {
    const { file } = frame
    if (isOwn(file) || servers.test(file) || !path.isAbsolute(file)) continue
    nearest ??= file
    if (isApplication(file)) trail.push(original(frame))
  }
  return { at: trail[0], trail, isOfPackage: nearest === undefined || !isApplication(nearest) }
}

/** Maps a position to the source of transpiled code. */
function original({ file, line, column, script }: Frame): RecordedPlace {
  const map = script === undefined ? undefined : findSourceMap(script)
  const entry = map?.findEntry(line - 1, column - 1) as
    | { originalLine?: number; originalColumn?: number }
    | undefined
  if (entry?.originalLine === undefined) return { file, line, column }
  return { file, line: entry.originalLine + 1, column: (entry.originalColumn ?? 0) + 1 }
}

function toPath(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name
}
