import { existsSync } from 'node:fs'
import { findSourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RecordedPlace } from '../recording.ts'
import { placeOfMissingImport } from './missing-import.ts'

/** Where a call comes from. */
export interface Caller {
  /** The application's own line, however many packages are in between; `undefined` when there is none. */
  readonly at: RecordedPlace | undefined
  /** All of the application's lines that lead to the call, the nearest first. */
  readonly trail: readonly RecordedPlace[]
  /** The nearest code that is not the server's own is a package's. */
  readonly isOfPackage: boolean
}

/** This very package: its code is between the application and the recorder. */
const own = fileURLToPath(new URL('../../../', import.meta.url))

/** Packages that call on behalf of whoever called them. */
const servers = /[\\/]node_modules[\\/](?:fastify|avvio|fastify-plugin|framework)[\\/]/

/** Who is calling the function that calls this. */
export function findCaller(): Caller {
  return callerIn(callSites())
}

/** The application's line that an error comes from. */
export function placeOfError(error: unknown): RecordedPlace | undefined {
  if (!(error instanceof Error)) return undefined
  const missing = placeOfMissingImport(error)
  if (missing !== undefined && isApplication(missing.file)) return missing
  // `stack` may have been made before: the text has the mapped positions.
  for (const line of (error.stack ?? '').split('\n')) {
    const [, source, row, column] =
      /(?:^|[\s(])((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (source === undefined) continue
    const file = toPath(source)
    if (!isApplication(file) || !existsSync(file)) continue
    return { file, line: Number(row), column: Number(column) }
  }
  return undefined
}

/** Whether a file is the application's own. */
export function isApplication(file: string): boolean {
  return path.isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(own)
}

function callSites(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  Error.stackTraceLimit = 100
  Error.prepareStackTrace = (_error, sites) => sites
  Error.captureStackTrace(holder, findCaller)
  const { stack } = holder
  Error.prepareStackTrace = prepareStackTrace as typeof Error.prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return stack as readonly NodeJS.CallSite[]
}

function callerIn(sites: readonly NodeJS.CallSite[]): Caller {
  let nearest: string | undefined
  const trail: RecordedPlace[] = []
  for (const site of sites) {
    const name = site.getFileName()
    if (!name || name.startsWith('node:')) continue
    const file = toPath(name)
    if (file.startsWith(own) || servers.test(file) || !path.isAbsolute(file)) continue
    nearest ??= file
    if (!isApplication(file)) continue
    trail.push(original(file, name, site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1))
  }
  return { at: trail[0], trail, isOfPackage: nearest === undefined || !isApplication(nearest) }
}

/** The position in the source, where the file was transpiled. */
function original(file: string, name: string, line: number, column: number): RecordedPlace {
  const entry = findSourceMap(name)?.findEntry(line - 1, column - 1) as
    | { originalLine?: number; originalColumn?: number }
    | undefined
  if (entry?.originalLine === undefined) return { file, line, column }
  return { file, line: entry.originalLine + 1, column: (entry.originalColumn ?? 0) + 1 }
}

function toPath(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name
}
