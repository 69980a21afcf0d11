/** Finds the places in the application that calls and errors come from. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, findSourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitStack } from '../../../runtime/errors/stack-limit.ts'
import { isTypeScript } from '../../util/module-kind.ts'
import { placeIn, type Place } from '../../util/stack.ts'
import { importOf, positionOf } from '../../util/mentions.ts'
import { packageNameOf } from '../../util/paths.ts'

/** The origin of a call. */
export interface Caller {
  /** The nearest line of the application, across packages in between. Undefined if there is none. */
  readonly at: Place | undefined
  /** All lines of the application that lead to the call, nearest first. */
  readonly trail: readonly Place[]
  /** True if the nearest code outside of the server belongs to a package. Also true without such code. */
  readonly isOfPackage: boolean
  /** That package, if its name is known. */
  readonly package: string | undefined
}

/** Folders of the compiler's and the runtime's code, which is between the application and the recorder. */
const ownFolders = [
  fileURLToPath(import.meta.url),
  createRequire(import.meta.url).resolve('framework'),
].map((file) => file.replace(/(?<=[\\/]dist[\\/]).*/, ''))

/** Returns whether a file belongs to a package that calls on behalf of its caller. */
export function isServer(file: string): boolean {
  return /[\\/]node_modules[\\/](?:fastify|avvio|fastify-plugin|framework)[\\/]/.test(file)
}

/** Number of stack frames to search: packages may be in between. */
export const FRAMES = 100

/** Finds the caller of the calling function. */
export function findCaller(): Caller {
  return callerIn(frames())
}

/** Returns the line of the application that an error comes from. */
export function placeOfError(error: unknown): Place | undefined {
  if (!(error instanceof Error)) return undefined
  const missing = placeOfMissingImport(error)
  if (missing !== undefined && isApplication(missing.file)) return missing
  // A source map may name a file that isn't there.
  return framesIn(error.stack).find(({ file }) => isApplication(file) && existsSync(file))
}

/** Node's error of a missing module names the importing file but has no stack frame in it. */
const missingModule = /^Cannot find (?:package|module) '(.+?)' imported from (.+)$/m

/** Finds the import of a module that can't be found. */
function placeOfMissingImport({ message }: Error): Place | undefined {
  const [, name = '', file] = missingModule.exec(message) ?? []
  if (file === undefined || !existsSync(file)) return undefined
  // The name is after its quote.
  const { line = 1, column = 2 } = positionOf(importOf(name), readFileSync(file, 'utf8')) ?? {}
  return { file, line, column: column - 1 }
}

/** Returns whether a file belongs to the application. */
export function isApplication(file: string): boolean {
  return path.isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && !isOwn(file)
}

/** Returns whether a file belongs to the compiler or the runtime. */
export function isOwn(file: string): boolean {
  return ownFolders.some((folder) => file.startsWith(folder))
}

/** @param below the function whose callers are returned */
export function frames(below: Function = findCaller, count: number = FRAMES): readonly Place[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: readonly Place[] | string } = {}
  const isLimited = limitStack(count)
  // The application may have its own, and may have frozen it.
  const isOurs = Reflect.set(Error, 'prepareStackTrace', (_: unknown, sites: NodeJS.CallSite[]) =>
    sites.flatMap((site) => placeOf(site) ?? []),
  )
  Error.captureStackTrace(holder, below)
  const { stack = '' } = holder
  if (isOurs) Error.prepareStackTrace = prepareStackTrace as typeof Error.prepareStackTrace
  if (isLimited) limitStack(stackTraceLimit)
  return typeof stack === 'string' ? framesIn(stack) : stack
}

/** Returns a place in the file that the scan reads: the source of transpiled TypeScript, but published JavaScript itself. */
function placeOf(site: NodeJS.CallSite): Place | undefined {
  const name = site.getFileName()
  if (!name || !/^(?:file:|\/|[A-Za-z]:\\)/.test(name)) return undefined
  const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1]
  const file = name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name
  const map = isTypeScript(file) ? findSourceMap(name) : undefined
  const origin = map?.findEntry(line - 1, column - 1)
  return origin && 'originalLine' in origin
    ? { file, line: origin.originalLine + 1, column: origin.originalColumn + 1 }
    : { file, line, column }
}

/** Parses a stack, whose positions are those of the source. */
function framesIn(stack = ''): readonly Place[] {
  return stack.split('\n').flatMap((frame) => placeIn(frame) ?? [])
}

function callerIn(found: readonly Place[]): Caller {
  let nearest: string | undefined
  const trail: Place[] = []
  for (const frame of found) {
    const { file } = frame
    if (isOwn(file) || isServer(file)) continue
    nearest ??= file
    if (isApplication(file)) trail.push(frame)
  }
  const isOfPackage = nearest === undefined || !isApplication(nearest)
  const name = isOfPackage ? packageNameOf(nearest ?? '') : undefined
  return { at: trail[0], trail, isOfPackage, package: name }
}
