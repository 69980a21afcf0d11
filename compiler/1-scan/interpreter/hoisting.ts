/** Declares the names of functions and blocks before their statements run. */
import { ts } from '../project.ts'
import { hasModifier } from '../values/properties.ts'
import type { Scope } from '../values/scope.ts'
import { resultOf } from './completions.ts'
import type { Completion, Machine } from '../values/machine.ts'
import { undefinedValue, type Value } from '../values/index.ts'

type Statements = readonly ts.Statement[]

/** Declares the names of a function or a module, including each nested `var`. */
export function declareHoisted(m: Machine, statements: Statements, scope: Scope): void {
  declareHoistedOfBlock(m, statements, scope)
  for (const statement of statements) declareVars(statement, scope)
}

/** Declares the names of a block before its statements run. Functions have their value at once. */
function declareHoistedOfBlock(m: Machine, statements: Statements, scope: Scope): void {
  for (const statement of statements) {
    if (isAmbient(statement)) continue
    if (ts.isFunctionDeclaration(statement)) {
      // Only the last overload has a body.
      if (statement.body === undefined) continue
      const closure = m.closure(statement, scope)
      if (statement.name === undefined) closure.name = 'default'
      scope.declare(statement.name?.text ?? 'default', closure)
    } else if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      scope.declare(statement.name.text, undefined)
    } else if (ts.isVariableStatement(statement)) {
      if (isVar(statement.declarationList)) continue
      declareNames(statement.declarationList, scope)
      declareEarly(m, statement.declarationList, scope)
    }
  }
}

/**
 * Lets functions and literals be read before their declaration has run. The scan runs an async function to its end at its
 * call, but at run time the code after an `await` runs later, when all declarations have run.
 */
function declareEarly(m: Machine, list: ts.VariableDeclarationList, scope: Scope): void {
  if ((list.flags & ts.NodeFlags.Const) === 0) return
  for (const { name, initializer } of list.declarations) {
    if (!ts.isIdentifier(name) || initializer === undefined || !isFunctionOrLiteral(initializer))
      continue
    const binding = scope.own(name.text)
    if (binding === undefined) continue
    const early = (): Value => {
      // A literal that reads itself throws.
      binding.early = undefined
      try {
        const value = m.evaluate(initializer, scope)
        m.journal.setBinding(binding, value)
        return value
      } finally {
        binding.early = early
      }
    }
    binding.early = early
  }
}

/** Returns whether a declaration only tells TypeScript about something: `declare const x: number`. */
export function isAmbient(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.DeclareKeyword)
}

function isFunctionOrLiteral(node: ts.Expression): boolean {
  const { TrueKeyword, FalseKeyword, NullKeyword } = ts.SyntaxKind
  return (
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isLiteralExpression(node) ||
    [TrueKeyword, FalseKeyword, NullKeyword].includes(node.kind) ||
    (ts.isPrefixUnaryExpression(node) && ts.isLiteralExpression(node.operand)) ||
    ((ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) &&
      isFunctionOrLiteral(node.expression))
  )
}

export function isVar(list: ts.VariableDeclarationList): boolean {
  return (list.flags & ts.NodeFlags.BlockScoped) === 0
}

function declareNames(
  { declarations }: ts.VariableDeclarationList,
  scope: Scope,
  value?: Value,
): void {
  for (const name of declarations.flatMap((one) => namesOf(one.name))) {
    if (scope.own(name) === undefined) scope.declare(name, value)
  }
}

export function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesOf(one.name) : []))
}

/** Returns the names that a statement declares and exports, without types. */
export function exportedNames(statement: ts.Statement): string[] {
  if (!hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name))
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return []
  const name = 'name' in statement ? (statement.name as ts.Node | undefined) : undefined
  return [name !== undefined && ts.isIdentifier(name) ? name.text : 'default']
}

function declareVars(node: ts.Node, scope: Scope): void {
  if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isExpression(node)) return
  if (ts.isModuleDeclaration(node)) return
  if (ts.isVariableStatement(node) && isAmbient(node)) return
  if (ts.isVariableDeclarationList(node)) {
    if (isVar(node)) declareNames(node, scope, undefinedValue)
  } else ts.forEachChild(node, (child) => declareVars(child, scope))
}

export function runBody(m: Machine, body: ts.ConciseBody, scope: Scope): Value {
  if (!ts.isBlock(body)) return m.evaluate(body, scope)
  declareHoisted(m, body.statements, scope)
  return resultOf(m.execute(body.statements, scope), body)
}

export function executeBlock(m: Machine, { statements }: ts.Block, scope: Scope): Completion {
  return m.execute(statements, blockScope(m, statements, scope))
}

/** Returns the scope of a block, with its names declared. */
export function blockScope(m: Machine, statements: Statements, scope: Scope): Scope {
  const inner = scope.child()
  declareHoistedOfBlock(m, statements, inner)
  return inner
}
