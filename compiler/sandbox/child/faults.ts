/** Remembers which step has thrown an error: messages show its source, which says more than the error. */
import { closest } from '../../report/closest.ts'
import { callCode, constructCode, methodCode } from '../protocol.ts'
import type { Fault } from '../protocol.ts'
import { LoadError } from './packages.ts'

const faults = new WeakMap<object, Fault>()

/** Remembers the innermost step that throws an error: the first call for it counts. */
export function note(error: unknown, step: string, near?: readonly string[]): void {
  if (!isObject(error) || error instanceof LoadError || faults.has(error)) return
  faults.set(error, { step, ...(near && { near }) })
}

export function faultOf(error: unknown): Fault | undefined {
  return isObject(error) ? faults.get(error) : undefined
}

/** Runs an operation of the scan, and remembers its step if it throws. */
export function run(
  step: string,
  code: string,
  compiled: (...operands: unknown[]) => unknown,
  operands: unknown[],
): unknown {
  try {
    return compiled(...operands)
  } catch (error) {
    note(error, step, error instanceof TypeError ? similarNames(code, operands) : undefined)
    throw error
  }
}

/** Returns similar names of functions if a call fails because it isn't of a function, otherwise `undefined`. */
function similarNames(code: string, [owner, key]: unknown[]): readonly string[] | undefined {
  if (code === callCode || code === constructCode) {
    return typeof owner === 'function' ? undefined : []
  }
  if (code !== methodCode || owner === undefined || owner === null) return undefined
  const members = owner as Readonly<Record<string, unknown>>
  const name = String(key)
  if (typeof members[name] === 'function') return undefined
  return closest(name, namesOf(owner)).filter((one) => typeof members[one] === 'function')
}

function namesOf(value: object): readonly string[] {
  const names: string[] = []
  for (let one: object | null = value; isObject(one); one = Object.getPrototypeOf(one) as object) {
    if (one === Object.prototype) break
    names.push(...Object.getOwnPropertyNames(one))
  }
  return names
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
