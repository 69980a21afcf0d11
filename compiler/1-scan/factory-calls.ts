import type { ScanMachine } from './machine.ts'
import type { SourceLocation } from '../model/index.ts'
import { ts } from './project.ts'

/** So many files are looked at. */
const MOST_FILES = 200

/** The packages that make instances. */
const FACTORIES: ReadonlySet<string> = new Set(['framework', 'fastify'])

/**
 * Where files that the entry leads to make an instance, whether or not the code that leads there is reached: by imports,
 * also in functions that nobody calls, and by the URLs of files that threads are made of.
 */
export function findFactoryCalls(m: ScanMachine, entry: string): readonly SourceLocation[] {
  const found: SourceLocation[] = []
  const files = new Set([entry])
  // A Set iterates over what is added meanwhile.
  for (const file of files) {
    const source = files.size > MOST_FILES ? undefined : m.project.parse(file)
    if (source === undefined) continue
    const { specifiers, call } = lookInto(source)
    if (call !== undefined) found.push(m.project.locate(call))
    for (const specifier of specifiers) {
      const next = m.modules.resolve(specifier, file)
      if (next !== undefined && !/[\\/]node_modules[\\/]/.test(next)) files.add(next)
    }
  }
  return found
}

interface FileLook {
  /** What it imports, and the URLs that it makes of files. */
  readonly specifiers: readonly string[]
  /** The first call of a factory. */
  readonly call: ts.Node | undefined
}

function lookInto(source: ts.SourceFile): FileLook {
  const specifiers: string[] = []
  const factories = new Set<string>()
  let call: ts.Node | undefined
  visit(source)
  return { specifiers, call }

  function visit(node: ts.Node): void {
    if (ts.isStringLiteral(node) && isSpecifier(node)) {
      specifiers.push(node.text)
      if (FACTORIES.has(node.text)) for (const name of namesOf(node)) factories.add(name)
    }
    if (ts.isCallExpression(node) && factories.has(node.expression.getText(source))) call ??= node
    ts.forEachChild(node, visit)
  }
}

function isSpecifier({ parent }: ts.StringLiteral): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'URL'
  if (!ts.isCallExpression(parent)) return false
  return /^(?:import|require)$/.test(parent.expression.getText())
}

/** The names that a module has for what it imports. */
function namesOf(specifier: ts.StringLiteral): readonly string[] {
  const { parent } = specifier
  if (ts.isImportDeclaration(parent)) {
    const { name, namedBindings } = parent.importClause ?? {}
    const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
    return [...(name ? [name.text] : []), ...named.map((one) => one.name.text)]
  }
  const { parent: holder } = parent
  if (!holder || !ts.isVariableDeclaration(holder)) return []
  if (ts.isIdentifier(holder.name)) return [holder.name.text]
  return holder.name.elements.flatMap((one) =>
    ts.isBindingElement(one) && ts.isIdentifier(one.name) ? [one.name.text] : [],
  )
}
