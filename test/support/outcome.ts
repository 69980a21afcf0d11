/** Calls of compiled functions, in a form that can be compared. */
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
} from '../../runtime/artifact/index.ts'
import { cloneSchema } from '../../runtime/artifact/normalize.ts'

/** The outcome of one call: the result, the data afterwards, the errors; or the error that was thrown. */
export interface Outcome {
  readonly result?: unknown
  readonly data?: unknown
  readonly errors?: unknown
  readonly thrown?: string
}

export function run(
  kind: CompileUnit['kind'],
  compiled: CompiledFunction,
  input: unknown,
): Outcome {
  return kind === 'validator'
    ? runValidator(compiled as CompiledValidator, input)
    : runSerializer(compiled as CompiledSerializer, input)
}

export function runValidator(validate: CompiledValidator, data: unknown): Outcome {
  // Inside an object, so that a coerced root shows as it does in `request.body`.
  const holder = { data: cloneSchema(data) }
  try {
    const result = validate(holder.data)
    return { result, data: holder.data, errors: withoutFunctions(validate.errors ?? null) }
  } catch (error) {
    return { thrown: withoutVariables(String(error)) }
  }
}

export function runSerializer(serialize: CompiledSerializer, data: unknown): Outcome {
  try {
    return { result: serialize(data) }
  } catch (error) {
    return { thrown: withoutVariables(withoutCounts(String(error))) }
  }
}

/** fast-json-stringify numbers merged schemas through the life of the process; ours through a unit's. */
export function withoutCounts(text: string): string {
  return text.replace(/__fjs_(root|merged)_\d+/g, '__fjs_$1')
}

/** V8 names the variable that holds a value without a method; names are not the same in minified code. */
export function withoutVariables(text: string): string {
  return text.replace(/\b\w+(?:\[\w+\])*(?=\.\w+ is not a function(?:$|[."'`\\]))/g, 'value')
}

/** Verbose errors may show `constructor` of a prototype, which does not travel to another process. */
function withoutFunctions(value: unknown): unknown {
  if (typeof value === 'function') return `function ${value.name}`
  if (Array.isArray(value)) return value.map(withoutFunctions)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const copy = cloneSchema(value) as Record<string, unknown>
  for (const key of Object.keys(copy)) {
    if (key !== '__proto__') copy[key] = withoutFunctions(copy[key])
  }
  return copy
}

export function attempt<T>(action: () => T): T | Error {
  try {
    return action()
  } catch (error) {
    return error as Error
  }
}
