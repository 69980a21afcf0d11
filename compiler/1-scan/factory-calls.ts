/** Finds the files of an application that create an instance, for an error that says the entry doesn't. */
import type { ScanMachine } from './machine.ts'
import type { SourceLocation } from '../model/index.ts'
import { ts } from './project.ts'

/** The search ends when it has found more files than this. */
const maxFiles = 200

const factories: ReadonlySet<string> = new Set(['framework', 'framework/5', 'fastify'])

/** Returns the first call of a factory in each file that the entry leads to by imports, even in code that never runs, and by URLs. */
export function findFactoryCalls(m: ScanMachine, entry: string): readonly SourceLocation[] {
  const found: SourceLocation[] = []
  const files = new Set([entry])
  // Iterating over a Set includes elements that are added meanwhile.
  for (const file of files) {
    const source = files.size > maxFiles ? undefined : m.project.parse(file)
    if (source === undefined) continue
    const names = new Set<string>()
    let call: ts.Node | undefined
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteral(node) && isSpecifier(node)) {
        if (factories.has(node.text)) for (const name of namesOf(node)) names.add(name)
        const next = m.modules.resolve(node.text, file)
        if (next !== undefined && !/[\\/]node_modules[\\/]/.test(next)) files.add(next)
      }
      ts.forEachChild(node, visit)
      if (ts.isCallExpression(node) && names.has(node.expression.getText(source))) call ??= node
    }
    visit(source)
    if (call !== undefined) found.push(m.project.locate(call))
  }
  return found
}

function isSpecifier({ parent }: ts.StringLiteral): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'URL'
  return ts.isCallExpression(parent) && /^(?:import|require)$/.test(parent.expression.getText())
}

function namesOf({ parent }: ts.StringLiteral): readonly string[] {
  if (ts.isImportDeclaration(parent)) {
    const { name, namedBindings } = parent.importClause ?? {}
    const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
    return [...(name ? [name] : []), ...named.map((one) => one.name)].map(({ text }) => text)
  }
  const holder = parent.parent
  // The result of `require` may be called at once.
  if (!holder || !ts.isVariableDeclaration(holder)) return [parent.getText()]
  if (ts.isIdentifier(holder.name)) return [holder.name.text]
  return holder.name.elements.flatMap((one) =>
    ts.isBindingElement(one) && ts.isIdentifier(one.name) ? [one.name.text] : [],
  )
}
