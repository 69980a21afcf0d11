import { ts } from '../project.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { undefinedValue } from '../values/index.ts'

/** Declares the names of a function or a module: of its body, and every `var` however deep it stands. */
export function declareHoisted(
  m: Machine,
  statements: readonly ts.Statement[],
  scope: Scope,
): void {
  declareHoistedOfBlock(m, statements, scope)
  for (const statement of statements) declareVars(statement, scope)
}

/**
 * Declares the names of a block before any of its statements runs: functions are complete at once, `let`, `const` and
 * classes wait for their declaration.
 */
export function declareHoistedOfBlock(
  m: Machine,
  statements: readonly ts.Statement[],
  scope: Scope,
): void {
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement)) {
      // Of overloads only the last one has a body.
      if (statement.body === undefined) continue
      const closure = m.closure(statement, scope)
      if (statement.name === undefined) closure.name = 'default'
      scope.declare(statement.name?.text ?? 'default', closure)
    } else if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      scope.declare(statement.name.text, undefined)
    } else if (ts.isVariableStatement(statement)) {
      if (isVar(statement.declarationList)) continue
      declareVariables(statement.declarationList, scope)
      declareEarly(m, statement.declarationList, scope)
    }
  }
}

/**
 * Functions and literals that are needed before their turn: what comes after an `await` of a function that is called
 * further up runs when all declarations have run.
 */
function declareEarly(m: Machine, list: ts.VariableDeclarationList, scope: Scope): void {
  if ((list.flags & ts.NodeFlags.Const) === 0) return
  for (const { name, initializer } of list.declarations) {
    if (!ts.isIdentifier(name) || initializer === undefined || !isPure(initializer)) continue
    const binding = scope.own(name.text)
    if (binding === undefined) continue
    binding.early = () => {
      const value = m.evaluate(initializer, scope)
      m.journal.setBinding(binding, value)
      return value
    }
  }
}

/** Whether making it early does nothing else. */
function isPure(node: ts.Expression): boolean {
  return (
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isLiteralExpression(node) ||
    ((ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) && isPure(node.expression))
  )
}

function isVar(list: ts.VariableDeclarationList): boolean {
  return (list.flags & ts.NodeFlags.BlockScoped) === 0
}

function declareVariables(list: ts.VariableDeclarationList, scope: Scope): void {
  for (const declaration of list.declarations) {
    declareNames(declaration.name, scope, isVar(list))
  }
}

function declareNames(name: ts.BindingName, scope: Scope, isReady: boolean): void {
  if (ts.isIdentifier(name)) {
    if (scope.own(name.text) === undefined) {
      scope.declare(name.text, isReady ? undefinedValue : undefined)
    }
    return
  }
  for (const element of name.elements) {
    if (ts.isBindingElement(element)) declareNames(element.name, scope, isReady)
  }
}

/** `var` belongs to the whole function. */
function declareVars(node: ts.Node, scope: Scope): void {
  if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isExpression(node)) return
  if (ts.isModuleDeclaration(node)) return
  if (ts.isVariableDeclarationList(node)) {
    if (isVar(node)) declareVariables(node, scope)
  } else ts.forEachChild(node, (child) => declareVars(child, scope))
}
