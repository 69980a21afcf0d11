/** Stacks as the author of an application looks at them: the frames of the application, without those that lead there. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRootOf } from '../util/paths.ts'

/** Where something stands, in a file that is there. */
export interface Place {
  /** Absolute. */
  readonly file: string
  readonly line: number
  readonly column: number
}

const FRAME = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/

/** The packages of the compiler and the runtime; in a clone of this project, the clone. */
const OWN = [
  fileURLToPath(import.meta.url),
  createRequire(import.meta.url).resolve('framework'),
].map((file) => path.join(packageRootOf(file) as string, path.sep))

/** Where these hold code; with source maps, stacks name the files that it was written in. */
const CODE =
  /^(?:dist[\\/])?(?:cli|compiler|runtime)[\\/]|^dist[\\/](?:(?:chunks|web)[\\/])?[^\\/]+$/
const SERVERS = /[\\/]node_modules[\\/](?:fastify|avvio|fastq|find-my-way|light-my-request)[\\/]/

/** Where a frame is, if that is a file. */
function placeIn(frame: string): Place | undefined {
  const [, name = '', line, column] = FRAME.exec(frame) ?? []
  const file = name.startsWith('file:') ? fileURLToPath(name) : name
  return path.isAbsolute(file) ? { file, line: Number(line), column: Number(column) } : undefined
}

/** Frames of Node, of this package, and of Fastify where that serves. */
function isInternal(frame: string): boolean {
  const place = placeIn(frame)
  if (place === undefined) return true
  const { file } = place
  if (SERVERS.test(file)) return true
  return OWN.some((root) => file.startsWith(root) && CODE.test(file.slice(root.length)))
}

const isFrame = (line: string): boolean => /^\s+at /.test(line)

export function isOfPackage({ file }: Place): boolean {
  return file.includes(`${path.sep}node_modules${path.sep}`)
}

/** The last of the application's own calls, and else that of a package that it uses. */
export function placeInStack(stack: string): Place | undefined {
  const places = stack
    .split('\n')
    .filter((line) => isFrame(line) && !isInternal(line))
    .flatMap((frame) => placeIn(frame) ?? [])
    .filter(({ file }) => existsSync(file))
  return places.find((place) => !isOfPackage(place)) ?? places[0]
}

/**
 * Counts the internal frames of an error and of its causes instead of listing them.
 *
 * @param said what is put in front of the frames; with it none needs to be left that says where the error comes from
 */
export function fold(error: Error, said?: string, seen: Set<Error> = new Set()): void {
  if (seen.has(error)) return
  seen.add(error)
  Reflect.set(error, 'stack', folded(error.stack ?? String(error), said))
  const { cause } = error
  if (cause instanceof Error) fold(cause, said && '', seen)
}

function folded(stack: string, said: string | undefined): string {
  const lines = stack.split('\n')
  const left = lines.filter((line) => !isFrame(line) || !isInternal(line))
  const count = lines.length - left.length
  if (said === undefined && !left.some(isFrame)) return stack
  const first = left.findIndex(isFrame)
  const end = first === -1 ? left.length : first
  const more = count > 0 ? [`    … ${count} more of Node and the framework`] : []
  const text = said ? ['', said, ''] : []
  return [...left.slice(0, end), ...text, ...left.slice(end), ...more].join('\n')
}
