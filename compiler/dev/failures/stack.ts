/** Reduces stacks to the frames of the application and of its packages. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPackageFile, packageRootOf } from '../../util/paths.ts'
import { placeIn, type Place } from '../../util/stack.ts'

/** The packages of the compiler and the runtime, or a clone of this project. */
const PACKAGE_FOLDERS = [
  fileURLToPath(import.meta.url),
  createRequire(import.meta.url).resolve('framework'),
].map((file) => path.join(packageRootOf(file) as string, path.sep))

/** Paths of code within them. With source maps, stacks name the original files. */
const CODE =
  /^(?:dist[\\/])?(?:cli|compiler|runtime)[\\/]|^dist[\\/](?:(?:chunks|web)[\\/])?[^\\/]+$/
const FASTIFY = /[\\/]node_modules[\\/](?:fastify|avvio|fastq|find-my-way|light-my-request)[\\/]/

/** Returns whether a frame is of Node, of this project, or of Fastify and its packages. */
function isInternal(frame: string): boolean {
  const place = placeIn(frame)
  if (place === undefined) return true
  const { file } = place
  if (FASTIFY.test(file)) return true
  return PACKAGE_FOLDERS.some((root) => file.startsWith(root) && CODE.test(file.slice(root.length)))
}

const isFrame = (line: string): boolean => /^\s+at /.test(line)

/** Returns the innermost frame of the application, or else of a package. */
export function placeInStack(stack: string): Place | undefined {
  const places = stack
    .split('\n')
    .filter((line) => isFrame(line) && !isInternal(line))
    .flatMap((frame) => placeIn(frame) ?? [])
    .filter(({ file }) => existsSync(file))
  return places.find((place) => !isPackageFile(place.file)) ?? places[0]
}

/**
 * Replaces the internal frames of an error and its causes by their count.
 *
 * @param explanation text to insert before the frames; with it, no frame needs to remain
 */
export function fold(error: Error, explanation?: string, seen: Set<Error> = new Set()): void {
  if (seen.has(error)) return
  seen.add(error)
  Reflect.set(error, 'stack', foldedStack(error.stack ?? String(error), explanation))
  const { cause } = error
  // Causes are folded without an explanation of their own; `''` allows them to lose all frames too.
  if (cause instanceof Error) fold(cause, explanation && '', seen)
}

function foldedStack(stack: string, explanation: string | undefined): string {
  const lines = stack.split('\n')
  const kept = lines.filter((line) => !isFrame(line) || !isInternal(line))
  const count = lines.length - kept.length
  if (explanation === undefined && !kept.some(isFrame)) return stack
  const first = kept.findIndex(isFrame)
  const end = first === -1 ? kept.length : first
  const more = count > 0 ? [`    … ${count} more of Node and the framework`] : []
  const text = explanation ? ['', explanation, ''] : []
  return [...kept.slice(0, end), ...text, ...kept.slice(end), ...more].join('\n')
}
