/** Finds the modules that a file imports or requires by literal names, also in code that never runs. Types are left out. */
import { ts } from '../project.ts'
import { usedImports } from './module-syntax.ts'

export interface NamedModule {
  readonly specifier: string
  readonly isRequired: boolean
  readonly node: ts.Node
  /** True if the import has attributes, or may have them. */
  readonly hasAttributes: boolean
}

/** The ways to name a module other than import and export statements. Names may have escapes. */
const CALL = /\brequire\b|\bdeclare\b|\bimport\s*(?:\(|\/[/*]|<)|\\u/

export function namedModules(source: ts.SourceFile): readonly NamedModule[] {
  const found: NamedModule[] = []
  // Searching the statements of most files is enough; searching everything would take a tenth of parsing.
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
