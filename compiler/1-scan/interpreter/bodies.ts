import { ts } from '../project.ts'
import { resultOf } from '../values/completions.ts'
import { declareHoisted } from './hoisting.ts'
import type { Machine } from '../values/machine.ts'
import { withDefault } from './patterns.ts'
import type { Scope } from '../values/scope.ts'
import { array, undefinedValue } from '../values/index.ts'
import type { Value } from '../values/index.ts'

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
  return resultOf(m.execute(body.statements, scope), body)
}
