/** Operations that the scan leaves to the sandbox: their operands and their source code. */
import type { Deferred, DeferredSource, Value } from '../values/index.ts'

/** Returns the values that an operation is applied to. */
export function operandsOf({ source }: Deferred): readonly Value[] {
  if (source.op === 'import') return []
  return source.op === 'await' ? [source.operand] : source.operands
}

/** Returns the first operand of an operation, such as the owner of a member, if it is deferred. */
export function ownerOf(value: Deferred): Deferred | undefined {
  const [owner] = operandsOf(value)
  return owner?.kind === 'deferred' ? owner : undefined
}

export type Import = Extract<DeferredSource, { op: 'import' }>

/** Returns the import that a value comes from, following first operands: for `z.object({})` that of `z`. */
export function importOf(value: Deferred | undefined): Import | undefined {
  return value?.source.op === 'import' ? value.source : value && importOf(ownerOf(value))
}

/** Copies a shared schema, because Fastify does. Builders of fluent-json-schema become plain schemas. */
export const sharedSchemaCode = `(schema) => {
  const isFluent = (s) => s.isFluentSchema || s.isFluentJSONSchema || s[Symbol.for('fluent-schema-object')]
  const copy = (v) =>
    typeof v !== 'object' || v === null
      ? v
      : Array.isArray(v)
        ? v.map(copy)
        : Object.fromEntries(Object.entries(v).map(([key, member]) => [key, copy(member)]))
  return copy(typeof schema === 'object' && schema !== null && isFluent(schema) ? schema.valueOf() : schema)
}`
