/** Finds where a source file mentions a module or a path, or awaits. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SourceLocation } from '../model/index.ts'
import { displayPath } from './paths.ts'

type Position = Pick<SourceLocation, 'line' | 'column'>

export function locateImport(file: string, name: string, root: string): SourceLocation {
  return locate(file, importOf(name), root)
}

export function locateText(file: string, text: string, root: string): SourceLocation {
  return { ...locate(file, quoted(escaped(text)), root), length: text.length }
}

/** Finds the first `await` in an unindented line without a function before it. */
export function locateAwait(file: string, root: string): SourceLocation {
  return locate(file, /\bawait\b(?<=^(?=[^\s/*])(?:(?!=>|function).)*)/, root)
}

/** Matches a module's name in quotes, or that of a file in a package. An absolute path matches all relative ones with its file name. */
export function importOf(name: string): RegExp {
  const isPath = path.isAbsolute(name)
  return quoted(
    isPath ? `\\.[^'"]*/${escaped(path.basename(name))}` : `(?:node:)?${escaped(name)}(?:/[^'"]*)?`,
  )
}

function quoted(pattern: string): RegExp {
  return new RegExp(`(?<=['"\`])${pattern}['"\`]`)
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}

/** Returns the position of the first match within a line that doesn't begin with `//` or `*`. */
export function positionOf(pattern: RegExp, text: string): Position | undefined {
  const columns = text
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\*)/.test(line) ? -1 : line.search(pattern)))
  const line = columns.findIndex((column) => column !== -1)
  return line === -1 ? undefined : { line: line + 1, column: (columns[line] as number) + 1 }
}

function locate(file: string, pattern: RegExp, root: string): SourceLocation {
  // Virtual modules have no file.
  const text = path.isAbsolute(file) ? readFileSync(file, 'utf8') : ''
  return { file: displayPath(file, root), line: 0, column: 0, ...positionOf(pattern, text) }
}
