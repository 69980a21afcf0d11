import { ts } from '../project.ts'
import type { Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import { undefinedValue } from './values.ts'

/**
 * Declares the names of a list of statements before any of them runs: functions are complete at
 * once, `var`s are `undefined`, and `let`, `const` and classes wait for their declaration.
 */
export function declareHoisted(
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
      declareVariables(statement.declarationList, scope)
      declareEarly(m, statement.declarationList, scope)
    }
    if (!ts.isVariableStatement(statement)) declareNestedVars(statement, scope)
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

function declareVariables(list: ts.VariableDeclarationList, scope: Scope): void {
  const isVar = (list.flags & ts.NodeFlags.BlockScoped) === 0
  for (const declaration of list.declarations) {
    declareNames(declaration.name, scope, isVar)
  }
}

function declareNames(name: ts.BindingName, scope: Scope, isVar: boolean): void {
  if (ts.isIdentifier(name)) {
    if (scope.own(name.text) === undefined) {
      scope.declare(name.text, isVar ? undefinedValue : undefined)
    }
    return
  }
  for (const element of name.elements) {
    if (ts.isBindingElement(element)) declareNames(element.name, scope, isVar)
  }
}

/** `var` belongs to the whole function, however deep it stands. */
function declareNestedVars(node: ts.Node, scope: Scope): void {
  if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isExpression(node)) return
  ts.forEachChild(node, (child) => {
    if (ts.isVariableDeclarationList(child)) {
      if ((child.flags & ts.NodeFlags.BlockScoped) === 0) declareVariables(child, scope)
    } else {
      declareNestedVars(child, scope)
    }
  })
}
