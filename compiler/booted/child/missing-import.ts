/**
 * Finds the import of a module that can't be found. Node's error names the importing file but has no stack
 * frame in it.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from '../../util/stack.ts'

export function placeOfMissingImport({ message }: Error): Place | undefined {
  const [, wanted = '', file] = failure.exec(message) ?? []
  if (file === undefined || !existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  for (const found of text.matchAll(imported)) {
    const [whole, specifier = ''] = found
    if (!isMeant(specifier, wanted, file)) continue
    const before = text.slice(0, found.index + whole.length - specifier.length - 2)
    const start = before.lastIndexOf('\n') + 1
    return { file, line: before.split('\n').length, column: before.length - start + 1 }
  }
  return { file, line: 1, column: 1 }
}

/** The missing module is a package, or the file that an import leads to. */
const failure = /^Cannot find (?:package|module) '(.+?)' imported from (.+)$/m

/** The last quoted text is the specifier. Skips comments. */
const imported = /^(?![ \t]*(?:\/\/|\*)).*?\b(?:from|import)\s*\(?\s*['"`]([^'"`\n]+)['"`]/gm

function isMeant(specifier: string, wanted: string, importer: string): boolean {
  if (specifier === wanted || specifier.startsWith(`${wanted}/`)) return true
  return specifier.startsWith('.') && path.resolve(path.dirname(importer), specifier) === wanted
}
