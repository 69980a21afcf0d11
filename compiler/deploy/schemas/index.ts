import type { SchemaLiteral } from '../../model.ts'
import { LONG } from '../source-text.ts'
import type { Replacement } from './replace.ts'

/** What becomes of the literals that schemas are made of. */
export interface StrippedSchemas {
  /** By the absolute path of the file that they stand in. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>
  /** The text of the module that exports what stands for them. */
  readonly module: string
}

/** Takes literals out of the application: an engine reads JSON in a quarter of the time. */
export function stripSchemas(literals: readonly SchemaLiteral[]): StrippedSchemas {
  const replacements = new Map<string, Replacement[]>()
  for (const literal of literals) {
    const { file, start, text } = literal
    // Of JSON the scan has parsed no text that is code.
    if (text.length < LONG || file.endsWith('.json')) continue
    const all = replacements.get(file) ?? []
    all.push({ start, text, callee: 'json', args: quoted(literal.json) })
    replacements.set(file, all)
  }
  return { replacements, module: 'export const json = JSON.parse\n' }
}

/** As a literal of JavaScript. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
