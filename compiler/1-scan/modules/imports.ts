import { valueNames } from '../parse.ts'
import { ts } from '../project.ts'

/** A variable that an import statement makes. */
export interface ImportedName {
  readonly local: string
  /** The exported name, or `*` for the namespace. */
  readonly name: string
}

/** The variables of an import statement; types are left out. */
export function importedNames(node: ts.ImportDeclaration): ImportedName[] {
  const clause = node.importClause
  if (clause === undefined || clause.isTypeOnly) return []
  const result: ImportedName[] = []
  if (clause.name !== undefined) result.push({ local: clause.name.text, name: 'default' })
  const bindings = clause.namedBindings
  if (bindings === undefined) return result
  if (ts.isNamespaceImport(bindings)) {
    result.push({ local: bindings.name.text, name: '*' })
    return result
  }
  for (const element of bindings.elements) {
    if (element.isTypeOnly) continue
    const name = (element.propertyName ?? element.name).text
    result.push({ local: element.name.text, name })
  }
  return result
}

/**
 * Whether a name occurs anywhere but in types: TypeScript drops imports that do not, together with
 * the file behind them.
 */
export function isUsedAsValue(source: ts.SourceFile, name: string): boolean {
  return valueNames(source).has(name)
}
