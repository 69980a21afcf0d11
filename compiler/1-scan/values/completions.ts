import type { Node } from '../project.ts'
import { normal, type Completion } from './machine.ts'
import { choice, undefinedValue, unknown, type ChoiceKey, type Value } from './index.ts'

/** How a statement ends, unless the run decides. */
export type Certain = Exclude<Completion, { type: 'mixed' }>

/** What the branches of a condition end with, as one: they stay apart only where they go on at different places. */
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

/** How a statement ends, with some of the ways replaced. */
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

/** What a function returns that ends so. */
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
