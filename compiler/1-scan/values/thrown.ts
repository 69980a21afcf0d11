/** Exceptions of the interpreted code. */
import type { Node } from '../../util/source/project.ts'
import type { Machine } from './machine.ts'
import { unknownFrom, object, primitive, unknown } from './index.ts'
import type { ObjectValue, Unknown, Value } from './index.ts'

export class Thrown extends Error {
  readonly value: Value
  readonly at: Node | undefined
  /** Set if it was thrown under a condition, so that other branches haven't noticed. */
  isOfBranch?: boolean
  constructor(value: Value, at?: Node) {
    super('The interpreted code threw')
    this.value = value
    this.at = at
  }
}

const errorNames = new WeakMap<Value, string>()

export function makeError(name: string, message: Value, at: Node): ObjectValue {
  const error = object(at)
  errorNames.set(error, name)
  const stack = unknown('it is a stack trace', at)
  for (const [key, value] of Object.entries({ stack, message, name: primitive(name, at) })) {
    error.members.set(key, { value, at, hidden: true })
  }
  return error
}

/** Returns the name of the constructor of an error. */
export function errorName(value: Value): string | undefined {
  return errorNames.get(value)
}

/** Creates an exception that foreign code may throw. */
export function possibleError(why: string, at: Node): Thrown {
  return new Thrown(makeError('Error', unknown(why, at), at), at)
}

/** `process.exit()`, which nothing catches. */
export class Exit extends Thrown {}

/** An error that JavaScript itself throws. */
export function thrownError(name: string, message: string, at: Node): Thrown {
  return new Thrown(makeError(name, primitive(message, at), at), at)
}

/** Records that something unknown may throw here, so that a `catch` around it is followed. */
export function mayThrow(m: Machine, why: Unknown, at: Node): void {
  addPossible(m, new Thrown(unknownFrom(why, at), at))
}

export function addPossible(m: Machine, error: Thrown): void {
  if (m.tries.all + m.tries.captures === 0) return
  m.journal.mayThrow()
  m.thrown.push(error)
}

/** Runs a function of JavaScript itself. Its errors become exceptions of the interpreted code. */
export function attempt<T>(run: () => T, at: Node): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof Thrown || error instanceof OutOfBudget || !(error instanceof Error))
      throw error
    throw thrownError(error.name, error.message, at)
  }
}

/** The interpreted code takes more steps than any real set-up code. */
export class OutOfBudget extends Error {
  readonly at: Node
  constructor(at: Node) {
    super('The interpreted code never ends')
    this.at = at
  }
}

/** Completes a sentence: "… fails here: <reason>". */
export function describeThrown(value: Value): string {
  const message = value.kind === 'object' ? value.members.get('message')?.value : value
  return message?.kind === 'primitive' ? `it throws "${String(message.value)}"` : 'it throws'
}
