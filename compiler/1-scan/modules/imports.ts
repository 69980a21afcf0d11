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

const usedNames = new WeakMap<ts.SourceFile, ReadonlySet<string>>()

/**
 * Whether a name occurs anywhere but in types: TypeScript drops imports that do not, together with
 * the file behind them.
 */
export function isUsedAsValue(source: ts.SourceFile, name: string): boolean {
  return valueNames(source).has(name)
}

/** All names that occur anywhere but in types and in import statements. */
export function valueNames(source: ts.SourceFile): ReadonlySet<string> {
  let names = usedNames.get(source)
  if (names === undefined) {
    const found = new Set<string>()
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement)) collect(statement, found)
    }
    names = found
    usedNames.set(source, names)
  }
  return names
}

function collect(node: ts.Node, found: Set<string>): void {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
  if (ts.isIdentifier(node)) found.add(node.text)
  ts.forEachChild(node, (child) => collect(child, found))
}
