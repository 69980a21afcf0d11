/** Which step of a slice has thrown: the source that it was written in says more of it than the error. */
import { closest } from '../../../report/closest.ts'
import { callCode, constructCode, methodCode } from '../codes.ts'
import type { Definition, Fault } from '../protocol.ts'
import { LoadError } from './modules.ts'

const faults = new WeakMap<object, Fault>()

/** To be called where a step throws, the innermost one first. */
export function note(error: unknown, step: string, definition: Definition): void {
  if (!isObject(error) || error instanceof LoadError || faults.has(error)) return
  faults.set(error, { step, ...(definition.type === 'code' && missing.get(error)) })
}

/** The step that has thrown it, and what is known of that. */
export function faultOf(error: unknown): Fault | undefined {
  return isObject(error) ? faults.get(error) : undefined
}

const missing = new WeakMap<object, Pick<Fault, 'near'>>()

/** Calls what an operation of the scan is, and notes when that calls what is no function. */
export function run(
  code: string,
  compiled: (...operands: unknown[]) => unknown,
  operands: unknown[],
): unknown {
  try {
    return compiled(...operands)
  } catch (error) {
    if (isObject(error) && error instanceof TypeError) {
      const near = namesInPlaceOf(code, operands)
      if (near !== undefined) missing.set(error, { near })
    }
    throw error
  }
}

/** What may be meant instead of what is called; `undefined` where that is a function. */
function namesInPlaceOf(code: string, [owner, key]: unknown[]): readonly string[] | undefined {
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
