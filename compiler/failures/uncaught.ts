/** An error that ends an application, as its author looks for it: the place in the source first, without the frames that lead there. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { codeFrame } from '../report/frame.ts'
import { isExplained } from './explained.ts'
import type { Place } from './stack.ts'
import { fold, isOfPackage, placeInStack } from './stack.ts'

/** How the place and the source around it are shown. */
export type ShowPlace = (place: string, source: string, at: Omit<Place, 'file'>) => string

const showPlain: ShowPlace = (place, source, at) =>
  `${place}\n${codeFrame(source, { ...at, file: '' })}`

/** `undefined` when nothing of its stack is the application's: then Node knows better how to show it. */
export function uncaughtText(error: unknown, show: ShowPlace = showPlain): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (isExplained(error)) return `${error.stack}\n`
  const place = placeInStack(error.stack ?? '')
  if (place === undefined || isOfPackage(place)) return undefined
  fold(error)
  const shown = `${path.relative(process.cwd(), place.file)}:${place.line}:${place.column}`
  const colors = process.stderr.hasColors?.() === true
  const text = show(shown, readFileSync(place.file, 'utf8'), place)
  return `${text}\n\n${inspect(error, { colors })}\n`
}
