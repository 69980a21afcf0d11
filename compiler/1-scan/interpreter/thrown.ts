import type { Node } from '../project.ts'
import { object, primitive } from './values.ts'
import type { Value } from './values.ts'

/** The interpreted code threw; a JavaScript exception carries it to the interpreted `catch`. */
export class Thrown extends Error {
  readonly value: Value
  readonly at: Node | undefined
  constructor(value: Value, at?: Node) {
    super('The interpreted code threw')
    this.value = value
    this.at = at
  }
}

/** What JavaScript itself throws. */
export function thrownError(name: string, message: string, at: Node): Thrown {
  const error = object(at)
  for (const [key, text] of Object.entries({ message, name })) {
    error.members.set(key, { value: primitive(text, at), at, hidden: true })
  }
  return new Thrown(error, at)
}

/** Runs something of JavaScript itself for the interpreted code: what it throws, that code has thrown. */
export function attempt<T>(run: () => T, at: Node): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof Thrown || error instanceof OutOfBudget || !(error instanceof Error))
      throw error
    throw thrownError(error.name, error.message, at)
  }
}

/** The interpreted code takes more steps than any set-up code needs. */
export class OutOfBudget extends Error {
  readonly at: Node
  constructor(at: Node) {
    super('The interpreted code does not come to an end')
    this.at = at
  }
}

/** Completes a sentence: "… ends here: <reason>". */
export function describeThrown(value: Value): string {
  const message = value.kind === 'object' ? value.members.get('message')?.value : value
  return message?.kind === 'primitive' ? `it throws "${String(message.value)}"` : 'it throws'
}
