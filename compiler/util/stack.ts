import { fileURLToPath } from 'node:url'

/** A place in a file. */
export interface Place {
  /** An absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
}

const FRAME = /^\s+at (?:async )?(?:.*? \()?((?:file:\/\/|\/|[A-Za-z]:\\).+?):(\d+):(\d+)\)?$/

/** Returns the place of a line of a stack, if it is in a file. */
export function placeIn(frame: string): Place | undefined {
  const [, name = '', line, column] = FRAME.exec(frame) ?? []
  const file = name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name
  return file === '' ? undefined : { file, line: Number(line), column: Number(column) }
}
