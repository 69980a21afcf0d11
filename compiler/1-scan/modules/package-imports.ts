import { ts } from '../project.ts'
import { importedNames, isUsedAsValue } from './imports.ts'

/** A module that a file names, in an import or in a call of `require`. */
export interface NamedModule {
  readonly specifier: string
  readonly isRequired: boolean
  /** It is loaded whenever the file is. */
  readonly isCertain: boolean
  readonly node: ts.Node
}

/** What a text has in it that names a module within a statement; names may be written with escapes. */
const CALL = /\brequire\b|\bdeclare\b|\bimport\s*(?:\(|\/[/*]|<)|\\u/

/** All modules that a file names as texts; types are left out. */
export function namedModules(source: ts.SourceFile): readonly NamedModule[] {
  const found: NamedModule[] = []
  // Most files name modules in statements of their own alone, and need not be searched.
  const isSearched = CALL.test(source.text)
  visit(source, true)
  return found

  function visit(node: ts.Node, isCertain: boolean): void {
    if (ts.isTypeNode(node)) return
    if (ts.isImportDeclaration(node)) {
      const isBare = node.importClause === undefined
      const isUsed = importedNames(node).some(({ local }) => isUsedAsValue(source, local))
      if (isBare || isUsed) add(node.moduleSpecifier, false, true)
      return
    }
    if (ts.isExportDeclaration(node)) {
      if (!node.isTypeOnly) add(node.moduleSpecifier, false, true)
      return
    }
    if (ts.isImportEqualsDeclaration(node)) {
      const { moduleReference, isTypeOnly } = node
      if (!isTypeOnly && ts.isExternalModuleReference(moduleReference)) {
        add(moduleReference.expression, true, true)
      }
      return
    }
    if (ts.isCallExpression(node)) {
      const { expression } = node
      if (expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false, false)
      else if (ts.isIdentifier(expression) && expression.text === 'require') {
        add(node.arguments[0], true, isCertain)
      }
    }
    if (!isSearched && node !== source) return
    const isConditional = ts.isFunctionLike(node) || ts.isIfStatement(node)
    ts.forEachChild(node, (child) => visit(child, isCertain && !isConditional))
  }

  function add(node: ts.Node | undefined, isRequired: boolean, isCertain: boolean): void {
    if (node === undefined || !ts.isStringLiteralLike(node)) return
    found.push({ specifier: node.text, isRequired, isCertain, node })
  }
}
