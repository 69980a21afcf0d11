/** Shows an uncaught error: the place in the source first, without internal frames. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { codeFrame } from '../report/frame.ts'
import { isPackageFile } from '../util/paths.ts'
import { isExplained } from './explained.ts'
import type { Place } from '../util/stack.ts'
import { fold, placeInStack } from './stack.ts'

/** Formats a place with its source. */
export type ShowPlace = (place: string, source: string, at: Omit<Place, 'file'>) => string

const showPlain: ShowPlace = (place, source, at) =>
  `${place}\n${codeFrame(source, { ...at, file: '' })}`

/** Returns undefined if no frame belongs to the application: Node shows such errors better. */
export function uncaughtText(error: unknown, show: ShowPlace = showPlain): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (isExplained(error)) return `${error.stack}\n`
  const place = placeInStack(error.stack ?? '')
  if (place === undefined || isPackageFile(place.file)) return undefined
  fold(error)
  const shown = `${path.relative(process.cwd(), place.file)}:${place.line}:${place.column}`
  const colors = process.stderr.hasColors?.() === true
  const text = show(shown, readFileSync(place.file, 'utf8'), place)
  return `${text}\n\n${inspect(error, { colors })}\n`
}
