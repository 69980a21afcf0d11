/** Declares the names of functions and blocks before their statements run. */
import { ts } from '../../util/source/project.ts'
import { hasModifier } from '../values/properties.ts'
import type { Scope } from '../values/scope.ts'
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
    }
  }
}

/** Returns whether a declaration only tells TypeScript about something: `declare const x: number`. */
export function isAmbient(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.DeclareKeyword)
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

export function executeBlock(m: Machine, { statements }: ts.Block, scope: Scope): Completion {
  return m.execute(statements, blockScope(m, statements, scope))
}

/** Returns the scope of a block, with its names declared. */
export function blockScope(m: Machine, statements: Statements, scope: Scope): Scope {
  const inner = scope.child()
  declareHoistedOfBlock(m, statements, inner)
  return inner
}
