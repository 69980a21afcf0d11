import { ts } from '../project.ts'
import { joinReturns } from './forks.ts'
import { declareHoisted } from './hoisting.ts'
import type { Machine } from './machine.ts'
import { withDefault } from './patterns.ts'
import { Thrown } from './thrown.ts'
import type { Scope } from './scope.ts'
import { array, undefinedValue } from './values.ts'
import type { Value } from './values.ts'

export function bindParameters(
  m: Machine,
  node: ts.FunctionLikeDeclaration,
  args: readonly Value[],
  scope: Scope,
): void {
  const parameters = node.parameters.filter(
    (one) => !(ts.isIdentifier(one.name) && one.name.text === 'this'),
  )
  for (const [index, parameter] of parameters.entries()) {
    const value =
      parameter.dotDotDotToken === undefined
        ? withDefault(m, args[index] ?? undefinedValue, parameter.initializer, scope)
        : array(args.slice(index), parameter)
    m.bind(parameter.name, value, scope, 'declare')
  }
}

/** The value that a function's body returns. */
export function runBody(m: Machine, body: ts.ConciseBody, scope: Scope): Value {
  if (!ts.isBlock(body)) return m.evaluate(body, scope)
  declareHoisted(m, body.statements, scope)
  return joinReturns(scope, lastResult(m, body, scope), body)
}

/** What the body ends with; a path that throws does not count where another one has returned. */
function lastResult(m: Machine, body: ts.Block, scope: Scope): Value {
  try {
    const completion = m.execute(body.statements, scope)
    return completion.type === 'return' ? completion.value : undefinedValue
  } catch (error) {
    const returned = scope.frame.returns.at(-1)
    if (!(error instanceof Thrown) || returned === undefined) throw error
    m.thrown.push(error)
    return returned.value
  }
}
