/** Completions of statements: how they end, as in the specification of JavaScript. */
import type { Node } from '../project.ts'
import { normal, type Completion } from './machine.ts'
import { choice, undefinedValue, unknown, type ChoiceKey, type Value } from './index.ts'

/** A completion that doesn't depend on a condition. */
export type Certain = Exclude<Completion, { type: 'mixed' }>

/** Joins the completions of several branches. They stay apart only where they continue at different places. */
export function joined(completions: readonly Completion[], key: ChoiceKey, at: Node): Completion {
  const [first, ...others] = completions
  if (first === undefined || others.every((other) => other === first)) return first ?? normal
  if (first.type === 'return') {
    const values = completions.flatMap((one) => (one.type === 'return' ? [one.value] : []))
    if (values.length === completions.length) {
      return { type: 'return', value: choice(values, at, key) }
    }
  }
  const isJump = first.type === 'break' || first.type === 'continue'
  if (isJump && others.every((one) => one.type === first.type && one.label === first.label)) {
    return first
  }
  return { type: 'mixed', options: completions, key }
}

/** Replaces each completion of a statement. */
export function mapCompletion(
  completion: Completion,
  at: Node,
  map: (one: Certain) => Completion,
): Completion {
  if (completion.type !== 'mixed') return map(completion)
  const { key, options } = completion
  const mapped = options.map((one) => mapCompletion(one, at, map))
  return joined(mapped, key, at)
}

/** Returns the result of a function whose body completes this way. */
export function resultOf(completion: Completion, at: Node): Value {
  switch (completion.type) {
    case 'return':
      return completion.value
    case 'mixed': {
      const values = completion.options.map((one) => resultOf(one, at))
      return choice(values, at, completion.key)
    }
    case 'throw':
      return unknown('it throws', at)
    default:
      return undefinedValue
  }
}
