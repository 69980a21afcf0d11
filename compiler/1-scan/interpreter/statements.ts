/** Runs statements. */
import { ts } from '../../util/source/project.ts'
import { propertyKey } from './literals.ts'
import {
  blockScope,
  declareHoisted,
  executeBlock,
  exportedNames,
  isAmbient,
  isVar,
} from './hoisting.ts'
import { awaiting, canWait, hasAwait } from './awaits.ts'
import { defineClass } from './classes.ts'
import { binary } from './operators.ts'
import { declareVariable, declareVariables } from './patterns.ts'
import { executeFor, executeForEach, executeWhile } from './loops.ts'
import { branchOn } from '../values/conditions.ts'
import { mapCompletion, catching, continueAfter, type Certain } from './completions.ts'
import { normal, type Completion, type Machine } from '../values/machine.ts'
import { Thrown } from '../values/thrown.ts'
import { executeTry } from './try.ts'
import type { Scope } from '../values/scope.ts'
import { object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { Key, ObjectValue, Owner, Value } from '../values/index.ts'

export function execute(m: Machine, statements: readonly ts.Statement[], scope: Scope): Completion {
  for (const [index, statement] of statements.entries()) {
    const completion = executeStatement(m, statement, scope)
    if (completion.type === 'normal') continue
    const rest = (): Completion => execute(m, statements.slice(index + 1), scope)
    return continueAfter(m, completion, 'normal', statement, rest)
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
  if (scope.frame.waitsUnder !== undefined && canWait(m, scope.frame) && hasAwait(node)) {
    const first = firstOf(node)
    if (first !== undefined) return awaiting(m, first, scope, () => executeNow(m, node, scope))
    if (ts.isVariableStatement(node)) {
      const declare = (rest: readonly ts.VariableDeclaration[]): Completion => {
        const [one, ...others] = rest
        if (one === undefined) return normal
        return awaiting(m, one.initializer, scope, () => {
          declareVariable(m, one, isVar(node.declarationList), scope)
          return declare(others)
        })
      }
      return declare(node.declarationList.declarations)
    }
  }
  return executeNow(m, node, scope)
}

/** Returns the expression that a statement evaluates before everything else, once. */
function firstOf(node: ts.Statement): ts.Expression | undefined {
  const hasFirst =
    ts.isExpressionStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isForOfStatement(node)
  return hasFirst ? node.expression : undefined
}

function executeNow(m: Machine, node: ts.Statement, scope: Scope): Completion {
  if (ts.isExpressionStatement(node)) {
    m.evaluate(node.expression, scope)
    return normal
  }
  // TypeScript puts the values of a constant enum where it is used.
  if (isAmbient(node) && !ts.isEnumDeclaration(node)) return normal
  if (ts.isVariableStatement(node)) {
    declareVariables(m, node.declarationList, scope)
    return normal
  }
  if (ts.isReturnStatement(node)) {
    const value = node.expression ? m.evaluate(node.expression, scope) : undefinedValue
    return { type: 'return', value }
  }
  if (ts.isIfStatement(node)) return executeIf(m, node, scope)
  if (ts.isBlock(node)) return executeBlock(m, node, scope)
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return executeForEach(m, node, scope)
  if (ts.isForStatement(node)) return executeFor(m, node, scope)
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
  if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly) m.modules.importEquals(node, scope)
  // The rest, such as types, imports and empty statements, does nothing; functions are hoisted.
  return normal
}

function executeIf(m: Machine, node: ts.IfStatement, scope: Scope): Completion {
  const condition = m.evaluate(node.expression, scope)
  const take = (outcome: boolean): Completion => {
    const statement = outcome ? node.thenStatement : node.elseStatement
    return statement === undefined ? normal : executeStatement(m, statement, scope)
  }
  return branchOn(m, condition, node, catching(m, take))
}

/** Runs from the first clause that matches; from each that may match when that isn't known. */
function executeSwitch(m: Machine, node: ts.SwitchStatement, scope: Scope): Completion {
  const value = m.evaluate(node.expression, scope)
  const { clauses } = node.caseBlock
  const statementsFrom = (start: number): ts.Statement[] =>
    clauses.slice(start).flatMap((clause) => clause.statements)
  const inner = blockScope(m, statementsFrom(0), scope)
  return mapCompletion(testClause(0), node, (one) =>
    one.type === 'break' && one.label === undefined ? normal : one,
  )

  function testClause(index: number): Completion {
    const clause = clauses[index]
    if (clause === undefined) {
      const start = clauses.findIndex(ts.isDefaultClause)
      return start === -1 ? normal : execute(m, statementsFrom(start), inner)
    }
    if (ts.isDefaultClause(clause)) return testClause(index + 1)
    const caseValue = m.evaluate(clause.expression, inner)
    const matches = binary(m, '===', value, caseValue, clause)
    const take = (outcome: boolean): Completion =>
      outcome ? execute(m, statementsFrom(index), inner) : testClause(index + 1)
    return branchOn(m, matches, clause, catching(m, take))
  }
}

function executeLabeled(m: Machine, node: ts.LabeledStatement, scope: Scope): Completion {
  const completion = executeStatement(m, node.statement, scope)
  const isOwn = (one: Certain): boolean => 'label' in one && one.label === node.label.text
  return mapCompletion(completion, node, (one) => (isOwn(one) ? normal : one))
}

function executeClass(m: Machine, node: ts.ClassDeclaration, scope: Scope): Completion {
  const value = defineClass(m, node, scope)
  const name = node.name?.text ?? 'default'
  m.journal.setBinding(scope.own(name) ?? scope.declare(name, undefined), value)
  return normal
}

/** A numeric member also maps its value back to its name. */
function executeEnum(m: Machine, node: ts.EnumDeclaration, scope: Scope): Completion {
  const inner = scope.child()
  // A member may refer to those before it through the name of the enum.
  const result = declareMerged(scope, node.name.text, object(node))
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

/** `namespace X { export const y = … }`; what it exports becomes properties. */
function executeNamespace(m: Machine, node: ts.ModuleDeclaration, scope: Scope): Completion {
  const { body, name } = node
  if (body === undefined || !ts.isIdentifier(name)) return normal
  const inner = scope.child()
  const result = object(node)
  if (ts.isModuleBlock(body)) {
    const isExported = (key: Key): boolean =>
      body.statements.some((one) => exportedNames(one).some((exported) => exported === key))
    // The statements may read what those before them export, by the name of the namespace.
    const readOwn = (key: Key): Value =>
      (isExported(key) && inner.own(String(key))?.value) || undefinedValue
    if (scope.own(name.text)?.value === undefined)
      inner.declare(name.text, object(node, { computeMember: readOwn }))
    declareHoisted(m, body.statements, inner)
    execute(m, body.statements, inner)
    for (const exported of body.statements.flatMap(exportedNames)) {
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

/** Merges namespaces and enums with the same name, also into a function or class. Returns the value of the name. */
function declareMerged(scope: Scope, name: string, added: ObjectValue): Owner {
  const existing = scope.own(name)?.value
  if (existing === undefined || !('members' in existing)) {
    scope.declare(name, added)
    return added
  }
  for (const [key, member] of added.members) existing.members.set(key, member)
  return existing
}

function executeExport(m: Machine, node: ts.ExportAssignment, scope: Scope): Completion {
  const value = m.evaluate(node.expression, scope)
  if (value.kind === 'function' && value.name === '') value.name = 'default'
  m.modules.exportAssignment(scope.file, value, node.isExportEquals === true)
  return normal
}
