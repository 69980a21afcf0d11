/** An error that ends an application, as its author looks for it: the place in the source first, without the frames that lead there. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { frameText } from '../text/frame.ts'
import { paintFor } from '../terminal.ts'

/** Prints it, unless nothing of its stack is the application's: then Node knows better how to show it. */
export function showUncaught(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const place = placeOf(error)
  if (place === undefined) return false
  fold(error)
  const { stderr } = process
  const paint = paintFor(stderr)
  const shown = path.relative(process.cwd(), place.file)
  const head = paint('cyan', `${shown}:${place.line}:${place.column}`)
  const frame = frameText(readFileSync(place.file, 'utf8'), place, paint)
  stderr.write(
    `${head}\n${frame}\n\n${inspect(error, { colors: stderr.hasColors?.() === true })}\n`,
  )
  return true
}

interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

const FRAME = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/

/** Of the compiler's package, and of the runtime, whatever it is called there. */
const own = [
  new URL('../../', import.meta.url),
  new URL('./', import.meta.resolve('framework')),
].map((url) => fileURLToPath(url))

const ROOMS = /^(?:cli|compiler|joined|runtime)[\\/]/

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
  if (
    /[\\/]node_modules[\\/](?:fastify|avvio|fastq|find-my-way|light-my-request)[\\/]/.test(
      place.file,
    )
  )
    return true
  const [compiler = '', runtime = ''] = own
  if (place.file.startsWith(runtime)) return true
  return place.file.startsWith(compiler) && ROOMS.test(place.file.slice(compiler.length))
}

/** The last of the application's own calls: not of a package, if there is one. */
function placeOf({ stack = '' }: Error): Place | undefined {
  const places = framesOf(stack)
    .filter((frame) => !isInternal(frame))
    .flatMap((frame) => placeIn(frame) ?? [])
    .filter(({ file }) => !file.includes(`${path.sep}node_modules${path.sep}`))
  return places.find(({ file }) => existsSync(file))
}

function framesOf(stack: string): readonly string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line))
}

/** Counts the frames that are not of the application instead of listing them; of its causes, too. */
function fold(error: Error, seen = new Set<Error>()): void {
  if (seen.has(error)) return
  seen.add(error)
  const lines = (error.stack ?? '').split('\n')
  const isFrame = (line: string): boolean => /^\s+at /.test(line)
  const left = lines.filter((line) => !isFrame(line) || !isInternal(line))
  const folded = lines.length - left.length
  if (folded > 0 && left.some(isFrame)) {
    const more = `    … ${folded} more of Node and the framework`
    Reflect.set(error, 'stack', [...left, more].join('\n'))
  }
  if (error.cause instanceof Error) fold(error.cause, seen)
}
