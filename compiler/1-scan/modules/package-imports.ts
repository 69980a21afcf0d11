import { ts } from '../project.ts'
import { importedNames, isUsedAsValue } from './imports.ts'

/** A module that a file names, in an import or in a call of `require`. */
export interface NamedModule {
  readonly specifier: string
  readonly isRequired: boolean
  readonly node: ts.Node
}

/** What a text has in it that names a module within a statement; names may be written with escapes. */
const CALL = /\brequire\b|\bdeclare\b|\bimport\s*(?:\(|\/[/*]|<)|\\u/

/** All modules that a file names as texts; types are left out. */
export function namedModules(source: ts.SourceFile): readonly NamedModule[] {
  const found: NamedModule[] = []
  // Most files name modules in statements of their own alone, and need not be searched.
  const isSearched = CALL.test(source.text)
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node)) return
    if (ts.isImportDeclaration(node)) {
      const isBare = node.importClause === undefined
      const isUsed = importedNames(node).some(({ local }) => isUsedAsValue(source, local))
      if (isBare || isUsed) add(node.moduleSpecifier, false)
      return
    }
    if (ts.isExportDeclaration(node)) {
      if (!node.isTypeOnly) add(node.moduleSpecifier, false)
      return
    }
    if (ts.isImportEqualsDeclaration(node)) {
      const { moduleReference, isTypeOnly } = node
      if (!isTypeOnly && ts.isExternalModuleReference(moduleReference)) {
        add(moduleReference.expression, true)
      }
      return
    }
    if (ts.isCallExpression(node)) {
      const { expression } = node
      if (expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false)
      else if (ts.isIdentifier(expression) && expression.text === 'require') {
        add(node.arguments[0], true)
      }
    }
    if (!isSearched && node !== source) return
    ts.forEachChild(node, visit)
  }

  function add(node: ts.Node | undefined, isRequired: boolean): void {
    if (node === undefined || !ts.isStringLiteralLike(node)) return
    found.push({ specifier: node.text, isRequired, node })
  }
}
