/** Terms for values that exist only in the running application. */
import { describeEnvironment, environmentOf } from '../values/environment.ts'
import type { Term } from './protocol.ts'

export function never(why: string): Term {
  return { t: 'never', why }
}

/** @param variables names of variables; all of the environment if empty */
export function ofEnvironment(variables: readonly string[]): Term {
  const environment = environmentOf(variables)
  return { t: 'never', why: describeEnvironment(environment), environment }
}

export const undecided: Term = {
  t: 'never',
  why: 'it depends on a condition that only the running application knows',
  undecided: true,
}
