/** Reads import and export statements, and finds the modules that a file names. */
import { exportedNames } from '../interpreter/hoisting.ts'
import { valueNames } from '../../util/source/parse.ts'
import { ts } from '../../util/source/project.ts'
import { hasModifier } from '../values/properties.ts'

interface ImportedName {
  readonly local: string
  /** The exported name, or `*` for the namespace. */
  readonly name: string
}

/** Returns the used variables of an import statement. `undefined` for a statement that TypeScript drops, because none is used as a value. */
export function usedImports(node: ts.ImportDeclaration): readonly ImportedName[] | undefined {
  const clause = node.importClause
  if (clause === undefined) return []
  if (clause.isTypeOnly) return undefined
  const { name: defaultName, namedBindings: bindings } = clause
  const found: ImportedName[] = defaultName ? [{ local: defaultName.text, name: 'default' }] : []
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
    found.push({ local: bindings.name.text, name: '*' })
  } else {
    for (const { isTypeOnly, name, propertyName } of bindings?.elements ?? []) {
      if (!isTypeOnly) found.push({ local: name.text, name: (propertyName ?? name).text })
    }
  }
  const source = node.getSourceFile()
  const names = valueNames(source)
  const used = found.filter(({ local }) => names.has(local))
  return used.length === 0 && /\.[cm]?tsx?$/.test(source.fileName) ? undefined : used
}

export function declaredExports(statement: ts.Statement): readonly ImportedName[] {
  const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword)
  return exportedNames(statement).map((local) => ({ name: isDefault ? 'default' : local, local }))
}

interface NamedModule {
  readonly specifier: string
  readonly isRequired: boolean
  readonly node: ts.Node
  /** True if the import has attributes, or may have them. */
  readonly hasAttributes: boolean
}

/** The ways to name a module elsewhere than in top-level import and export statements, such as `declare module 'x' { export … }`. Identifiers may have escapes. */
const CALL = /\brequire\b|\bdeclare\b|\bimport\s*(?:\(|\/[/*])|\\u/

/** Finds the modules that a file imports or requires by literal names, also in code that never runs. Types are left out. */
export function namedModules(source: ts.SourceFile): readonly NamedModule[] {
  const found: NamedModule[] = []
  // For most files, the top-level statements are enough. Searching everything would take a tenth of the time of parsing.
  const isSearched = CALL.test(source.text)
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node)) return
    if (ts.isImportDeclaration(node)) {
      if (usedImports(node) !== undefined)
        add(node.moduleSpecifier, false, node.attributes !== undefined)
    } else if (ts.isExportDeclaration(node)) {
      if (!node.isTypeOnly) add(node.moduleSpecifier, false, node.attributes !== undefined)
    } else if (ts.isImportEqualsDeclaration(node)) {
      const { moduleReference, isTypeOnly } = node
      if (!isTypeOnly && ts.isExternalModuleReference(moduleReference)) {
        add(moduleReference.expression, true)
      }
    } else {
      if (ts.isCallExpression(node)) {
        const { expression } = node
        if (expression.kind === ts.SyntaxKind.ImportKeyword)
          add(node.arguments[0], false, node.arguments.length > 1)
        else if (ts.isIdentifier(expression) && expression.text === 'require') {
          add(node.arguments[0], true)
        }
      }
      if (isSearched || node === source) ts.forEachChild(node, visit)
    }
  }

  function add(node: ts.Node | undefined, isRequired: boolean, hasAttributes = false): void {
    if (node === undefined || !ts.isStringLiteralLike(node)) return
    found.push({ specifier: node.text, isRequired, hasAttributes, node })
  }
}
