import { ts } from '../project.ts'
import { propertyKey } from './literals.ts'
import { declareHoisted } from './hoisting.ts'
import { executeFor, executeForIn, executeForOf, executeWhile } from './loops.ts'
import { executeSwitch } from './switches.ts'
import { forkCompletions } from './forks.ts'
import { whether } from './conditions.ts'
import { normal } from './machine.ts'
import { Thrown } from './thrown.ts'
import type { Completion, Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import { object, primitive, undefinedValue, unknown } from './values.ts'
import type { ObjectValue, Value } from './values.ts'

/** Runs statements in order, until one of them leaves the list. */
export function execute(m: Machine, statements: readonly ts.Statement[], scope: Scope): Completion {
  for (const statement of statements) {
    const completion = executeStatement(m, statement, scope)
    if (completion.type !== 'normal') return completion
  }
  return normal
}

export function executeStatement(m: Machine, node: ts.Statement, scope: Scope): Completion {
  m.budget.nesting++
  try {
    return executeAny(m, node, scope)
  } finally {
    m.budget.nesting--
  }
}

function executeAny(m: Machine, node: ts.Statement, scope: Scope): Completion {
  if (ts.isExpressionStatement(node)) {
    m.evaluate(node.expression, scope)
    return normal
  }
  if (ts.isVariableStatement(node)) return executeVariables(m, node.declarationList, scope)
  if (ts.isReturnStatement(node)) {
    const value = node.expression ? m.evaluate(node.expression, scope) : undefinedValue
    return { type: 'return', value }
  }
  if (ts.isIfStatement(node)) return executeIf(m, node, scope)
  if (ts.isBlock(node)) return executeBlock(m, node, scope)
  if (ts.isForOfStatement(node)) return executeForOf(m, node, scope)
  if (ts.isForStatement(node)) return executeFor(m, node, scope)
  if (ts.isForInStatement(node)) return executeForIn(m, node, scope)
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return executeWhile(m, node, scope)
  if (ts.isSwitchStatement(node)) return executeSwitch(m, node, scope)
  if (ts.isTryStatement(node)) return executeTry(m, node, scope)
  if (ts.isThrowStatement(node)) throw new Thrown(m.evaluate(node.expression, scope), node)
  if (ts.isBreakStatement(node)) return { type: 'break', label: node.label?.text }
  if (ts.isContinueStatement(node)) return { type: 'continue', label: node.label?.text }
  if (ts.isLabeledStatement(node)) return executeLabeled(m, node, scope)
  if (ts.isClassDeclaration(node)) return executeClass(m, node, scope)
  if (ts.isEnumDeclaration(node)) return executeEnum(m, node, scope)
  if (ts.isModuleDeclaration(node)) return executeNamespace(m, node, scope)
  if (ts.isExportAssignment(node)) return executeExport(m, node, scope)
  if (ts.isImportEqualsDeclaration(node)) {
    m.modules.importEquals(node, scope)
    return normal
  }
  // Types, imports and re-exports leave nothing to run; functions are hoisted.
  return normal
}

function executeVariables(m: Machine, list: ts.VariableDeclarationList, scope: Scope): Completion {
  const isVar = (list.flags & ts.NodeFlags.BlockScoped) === 0
  for (const declaration of list.declarations) {
    if (declaration.initializer === undefined) {
      if (!isVar) m.bind(declaration.name, undefinedValue, scope, 'declare')
      continue
    }
    if (isDeclared(declaration.name, scope)) continue
    const value = m.evaluate(declaration.initializer, scope)
    m.bind(declaration.name, value, scope, isVar ? 'assign' : 'declare')
  }
  return normal
}

/** Whether it was needed before its turn. */
function isDeclared(name: ts.BindingName, scope: Scope): boolean {
  const binding = ts.isIdentifier(name) ? scope.own(name.text) : undefined
  return binding?.early !== undefined && binding.value !== undefined
}

function executeBlock(m: Machine, node: ts.Block, scope: Scope): Completion {
  const inner = scope.child()
  declareHoisted(m, node.statements, inner)
  return execute(m, node.statements, inner)
}

function executeIf(m: Machine, node: ts.IfStatement, scope: Scope): Completion {
  const condition = m.evaluate(node.expression, scope)
  const take = (outcome: boolean): Completion => {
    const statement = outcome ? node.thenStatement : node.elseStatement
    return statement === undefined ? normal : executeStatement(m, statement, scope)
  }
  return whether(m, condition, take, (arms, key) => forkCompletions(m, arms, node, scope, key))
}

function executeTry(m: Machine, node: ts.TryStatement, scope: Scope): Completion {
  let completion: Completion
  const before = m.thrown.length
  try {
    completion = executeBlock(m, node.tryBlock, scope)
    const [error] = m.thrown.splice(node.catchClause === undefined ? Infinity : before)
    if (error !== undefined) followCatch(m, node, error, scope)
  } catch (error) {
    if (!(error instanceof Thrown) || node.catchClause === undefined) throw error
    m.thrown.length = before
    completion = executeCatch(m, node.catchClause, error, scope)
  }
  if (node.finallyBlock === undefined) return completion
  const last = executeBlock(m, node.finallyBlock, scope)
  return last.type === 'normal' ? completion : last
}

function executeCatch(
  m: Machine,
  { variableDeclaration, block }: ts.CatchClause,
  error: Thrown,
  scope: Scope,
): Completion {
  const inner = scope.child()
  if (variableDeclaration !== undefined) {
    m.bind(variableDeclaration.name, error.value, inner, 'declare')
  }
  return executeBlock(m, block, inner)
}

/**
 * A condition has thrown in one of its arms, so the `catch` may run: what it declares is reported. What it writes does
 * not count, as little as what that arm has written.
 */
function followCatch(m: Machine, node: ts.TryStatement, error: Thrown, scope: Scope): void {
  const key = { count: 2 }
  const run = (): 'dropped' => {
    m.arms.push({ site: key, arm: 1 })
    try {
      executeCatch(m, node.catchClause as ts.CatchClause, error, scope)
    } catch (again) {
      if (!(again instanceof Thrown)) throw again
      m.thrown.push(again)
    } finally {
      m.arms.pop()
    }
    return 'dropped'
  }
  const known = m.declarations.length
  m.journal.branch([() => 'kept', run], node, key)
  for (const at of m.declarations.splice(known)) {
    const why = 'it is declared in a `catch`, for what is thrown under a condition'
    m.report('AOT_ROUTE_NOT_STATIC', m.project.locate(at), 'existence', why)
  }
}

function executeLabeled(m: Machine, node: ts.LabeledStatement, scope: Scope): Completion {
  const completion = executeStatement(m, node.statement, scope)
  const isOwn = 'label' in completion && completion.label === node.label.text
  return isOwn ? normal : completion
}

function executeClass(m: Machine, node: ts.ClassDeclaration, scope: Scope): Completion {
  const value = m.defineClass(node, scope)
  const name = node.name?.text ?? 'default'
  m.journal.setBinding(scope.own(name) ?? scope.declare(name, undefined), value)
  return normal
}

/** A numeric member also maps its value back to its name. */
function executeEnum(m: Machine, node: ts.EnumDeclaration, scope: Scope): Completion {
  const result = object(node)
  const inner = scope.child()
  // A member may refer to those before it through the name of the enum.
  declareMerged(scope, node.name.text, result)
  let next: number | undefined = 0
  for (const member of node.members) {
    const name = propertyKey(m, member.name, inner)
    if (typeof name !== 'string') continue
    let value: Value
    if (member.initializer !== undefined) value = m.evaluate(member.initializer, inner)
    else if (next === undefined) value = unknown('this enum member has no value', member)
    else value = primitive(next, member)
    const known = m.known(value)
    const plain = known.kind === 'primitive' ? known.value : undefined
    next = typeof plain === 'number' ? plain + 1 : undefined
    result.members.set(name, { value, at: member })
    inner.declare(name, value)
    if (typeof plain === 'number') {
      result.members.set(String(plain), { value: primitive(name, member), at: member })
    }
  }
  return normal
}

/** `namespace X { export const y = … }`; its exported variables become properties. */
function executeNamespace(m: Machine, node: ts.ModuleDeclaration, scope: Scope): Completion {
  const { body, name } = node
  if (body === undefined || !ts.isIdentifier(name)) return normal
  if (ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.DeclareKeyword)) return normal
  const inner = scope.child()
  const result = object(node)
  if (ts.isModuleBlock(body)) {
    declareHoisted(m, body.statements, inner)
    execute(m, body.statements, inner)
    for (const exported of exportedNames(body.statements)) {
      const value = inner.own(exported)?.value
      if (value !== undefined) result.members.set(exported, { value, at: node })
    }
  } else if (ts.isModuleDeclaration(body)) {
    executeNamespace(m, body, inner)
    const value = inner.own(body.name.text)?.value
    if (value !== undefined) result.members.set(body.name.text, { value, at: body })
  }
  if (result.members.size > 0) declareMerged(scope, name.text, result)
  return normal
}

function exportedNames(statements: readonly ts.Statement[]): string[] {
  const names: string[] = []
  for (const statement of statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) continue
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) names.push(name.text)
      }
    } else if ('name' in statement && statement.name !== undefined) {
      const name = statement.name as ts.Node
      if (ts.isIdentifier(name)) names.push(name.text)
    }
  }
  return names
}

/** Namespaces and enums of one name add up, also onto a function or class. */
function declareMerged(scope: Scope, name: string, added: ObjectValue): void {
  const existing = scope.own(name)?.value
  if (existing !== undefined && 'members' in existing) {
    for (const [key, member] of added.members) existing.members.set(key, member)
  } else {
    scope.declare(name, added)
  }
}

function executeExport(m: Machine, node: ts.ExportAssignment, scope: Scope): Completion {
  const value = m.evaluate(node.expression, scope)
  if (value.kind === 'function' && value.name === '') value.name = 'default'
  m.modules.exportAssignment(scope.file, value, node.isExportEquals === true)
  return normal
}
