/** Formats uncaught errors: with an explanation, or with the code at their place. Internal frames of the stack are left out. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { codeFrame } from '../../report/frame.ts'
import { isPackageFile } from '../../util/paths.ts'
import type { Place } from '../../util/stack.ts'
import { fold, placeInStack } from './stack.ts'

const explained = new WeakSet<Error>()
/** The latest explained error that hasn't been shown. */
let unshown: Error | undefined

/** Adds an explanation to an error's stack, replacing frames without information. */
export function explainBy(error: Error, text: string | undefined): void {
  if (explained.has(error) || !text) return
  explained.add(error)
  fold(error, text)
  unshown = error
}

/** Returns the latest unshown error and forgets it. */
export function takeUnshown(): Error | undefined {
  const error = unshown
  unshown = undefined
  return error
}

/** Formats a place with its source. */
export type ShowPlace = (place: string, source: string, at: Omit<Place, 'file'>) => string

const showPlain: ShowPlace = (place, source, at) =>
  `${place}\n${codeFrame(source, { ...at, file: '' })}`

/** Formats an error for stderr. Returns undefined for what Node shows better: other values, and errors without a frame of the application. */
export function uncaughtText(error: unknown, show: ShowPlace = showPlain): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (explained.has(error)) return `${error.stack}\n`
  const place = placeInStack(error.stack ?? '')
  if (place === undefined || isPackageFile(place.file)) return undefined
  fold(error)
  const colors = process.stderr.hasColors?.() === true
  const text = show(placeText(place), readFileSync(place.file, 'utf8'), place)
  return `${text}\n\n${inspect(error, { colors })}\n`
}

export function placeText({ file, line, column }: Place): string {
  return `${path.relative(process.cwd(), file)}:${line}:${column}`
}
