/** Calls compiled functions, and returns outcomes that can be compared. */
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

/** Removes the numbers of merged schemas: fast-json-stringify counts them per process, emitted code per unit. */
export function withoutCounts(text: string): string {
  return text.replace(/__fjs_(root|merged)_\d+/g, '__fjs_$1')
}

/** Removes names of variables from V8's errors, because they differ in minified code. */
export function withoutVariables(text: string): string {
  return text.replace(/\b\w+(?:\[\w+\])*(?=\.\w+ is not a function(?:$|[."'`\\]))/g, 'value')
}

/** Replaces functions by their names: verbose errors may contain `constructor`, which can't be sent to another process. */
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
