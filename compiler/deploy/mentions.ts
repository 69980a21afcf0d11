/** Finds where a source file mentions a module or a path in quotes. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SourceLocation } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'

export function locateImport(file: string, name: string, root: string): SourceLocation {
  return locate(file, `(?:node:)?${escaped(name)}(?:/[^'"]*)?`, root)
}

export function locateText(file: string, text: string, root: string): SourceLocation {
  return { ...locate(file, escaped(text), root), length: text.length }
}

/** Finds the first `await` outside of functions, in a line that isn't indented. */
export function locateAwait(file: string, root: string): SourceLocation {
  const columns = readFileSync(file, 'utf8')
    .split('\n')
    .map((text) =>
      /^(?=[^\s/*])(?:(?!=>|function).)*?\bawait\b/.test(text) ? text.search(/\bawait\b/) : -1,
    )
  const line = columns.findIndex((column) => column !== -1)
  return { file: displayPath(file, root), line: line + 1, column: (columns[line] ?? -1) + 1 }
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}

function locate(file: string, pattern: string, root: string): SourceLocation {
  const lines = path.isAbsolute(file) ? readFileSync(file, 'utf8').split('\n') : []
  const quoted = new RegExp(`['"\`]${pattern}['"\`]`)
  const columns = lines.map((text) => text.search(quoted))
  const line = columns.findIndex((column) => column !== -1)
  return { file: displayPath(file, root), line: line + 1, column: (columns[line] ?? -2) + 2 }
}
