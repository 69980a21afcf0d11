/** Finds the object literals of routes' schemas whose members create Zod types, and do nothing else. Deployments create these when they're read. */
import type { TypeLiteral } from '../model/index.ts'
import { innerExpression } from './interpreter/member-access.ts'
import type { ScanMachine } from './machine.ts'
import { ts, type Node } from '../util/source/project.ts'
import type { ObjectValue, Value } from './values/index.ts'
import { readBinding } from './values/scope.ts'

/** The members that are read once per route. `query` isn't, since normalizing copies it. */
const parts = new Set(['body', 'querystring', 'params', 'headers'])

/** Methods that do more than to create a type: they register it, call a function of the application, or change Zod. */
const effects = new Set(['apply', 'config', 'meta', 'register', 'setErrorMap'])

/** @param schemas the `schema` options of routes whose compilers are those of packages */
export function findTypeLiterals(
  m: ScanMachine,
  schemas: readonly Value[],
): readonly TypeLiteral[] {
  const literals = new Map<Node, TypeLiteral>()
  for (const schema of schemas) {
    if (schema.kind !== 'object') continue
    add(schema, (name) => parts.has(name))
    const response = schema.members.get('response')?.value
    if (response?.kind === 'object') add(response, () => true)
  }
  return [...literals.values()]

  function add({ at, members }: ObjectValue, isPart: (name: string) => boolean): void {
    if (at === undefined || !ts.isObjectLiteralExpression(at)) return
    const types = at.properties.flatMap((one) => {
      const name = ts.isPropertyAssignment(one) ? nameOf(one.name) : undefined
      if (name === undefined || !isPart(name)) return []
      const { initializer } = one as ts.PropertyAssignment
      // Another value stands there if a hook has replaced it.
      const isValue = members.get(name)?.value.at === initializer
      return isValue && creates(m, initializer)
        ? [{ name, start: initializer.getStart(), end: initializer.end }]
        : []
    })
    if (types.length === 0) return
    const file = at.getSourceFile().fileName
    literals.set(at, { file, start: at.getStart(), text: at.getText(), types })
  }
}

/** Returns whether an expression is a call that creates a type of values that never change. */
function creates(m: ScanMachine, node: ts.Expression): boolean {
  if (!ts.isCallExpression(node) || ts.isOptionalChain(node)) return false
  const { expression: callee } = node
  const [owner, name] = ts.isPropertyAccessExpression(callee)
    ? [callee.expression, callee.name.text]
    : [callee, '']
  return isType(m, owner) && !effects.has(name) && node.arguments.every((one) => isData(m, one))
}

/** Returns whether an expression is a type, or the library itself. */
function isType(m: ScanMachine, node: ts.Expression): boolean {
  const wrapped = innerExpression(node)
  if (wrapped !== undefined) return isType(m, wrapped)
  if (ts.isIdentifier(node)) return isOfZod(constantOf(m, node))
  if (ts.isPropertyAccessExpression(node)) return isType(m, node.expression)
  return creates(m, node)
}

/** Returns whether an argument is the same whenever it's evaluated. */
function isData(m: ScanMachine, node: ts.Node): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every((one) => isData(m, one))
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((one) => {
      if (ts.isPropertyAssignment(one)) {
        return nameOf(one.name) !== undefined && isData(m, one.initializer)
      }
      if (ts.isShorthandPropertyAssignment(one)) return isData(m, one.name)
      return ts.isSpreadAssignment(one) && isType(m, one.expression)
    })
  }
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand)
  // Zod calls functions when it parses.
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true
  if (ts.isIdentifier(node) && constantOf(m, node)?.kind === 'primitive') return true
  const { TrueKeyword, FalseKeyword, NullKeyword, RegularExpressionLiteral, BigIntLiteral } =
    ts.SyntaxKind
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    [TrueKeyword, FalseKeyword, NullKeyword, RegularExpressionLiteral, BigIntLiteral].includes(
      node.kind,
    ) ||
    isType(m, node as ts.Expression)
  )
}

function nameOf(name: ts.PropertyName): string | undefined {
  const isPlain = ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)
  return isPlain && name.text !== '__proto__' ? name.text : undefined
}

function isOfZod(value: Value | undefined): boolean {
  if (value?.kind !== 'deferred') return false
  const { source } = value
  if (source.op === 'import') return /^zod($|\/)/.test(source.specifier)
  return source.op === 'code' && isOfZod(source.operands[0])
}

/** Returns the value of a module's constant whose name means nothing else anywhere in the file. */
function constantOf(m: ScanMachine, node: ts.Identifier): Value | undefined {
  const source = node.getSourceFile()
  let names = constants.get(source)
  if (names === undefined) constants.set(source, (names = constantsIn(source)))
  if (!names.has(node.text)) return undefined
  return readBinding(m.modules.load(source.fileName)?.scope.own(node.text))
}

const constants = new WeakMap<ts.SourceFile, ReadonlySet<string>>()

function constantsIn(source: ts.SourceFile): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const isConstant = new Set<string>()
  ts.forEachChild(source, function visit(node) {
    if (isDeclaration(node) && node.name !== undefined && ts.isIdentifier(node.name)) {
      const { text } = node.name
      counts.set(text, (counts.get(text) ?? 0) + 1)
      const isConst = (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0
      if (isConst || isImport(node)) isConstant.add(text)
    }
    ts.forEachChild(node, visit)
  })
  return new Set([...isConstant].filter((name) => counts.get(name) === 1))
}

function isImport(
  node: ts.Node,
): node is ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier {
  return ts.isImportClause(node) || ts.isNamespaceImport(node) || ts.isImportSpecifier(node)
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration & { name?: ts.Node } {
  return (
    isImport(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isImportEqualsDeclaration(node)
  )
}
