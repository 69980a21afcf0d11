/** Copies the plain data of a value and lists everything else. Drops symbol keys, as JSON does. */
import { whyNotJsonSchema } from '../../../util/not-json-schema.ts'
import { annotationMark, type Hole, type Outcome } from '../protocol.ts'

const kFluent = Symbol.for('fluent-schema-object')

export function toPlainData(value: unknown): Extract<Outcome, { type: 'plain' }> {
  const holes: Hole[] = []
  const ancestors = new Set<object>()
  return { type: 'plain', value: visit(unwrap(value), []), holes }

  function visit(part: unknown, path: readonly (string | number)[]): unknown {
    switch (typeof part) {
      case 'function':
        holes.push({ path, why: whyNotJsonSchema(part) ?? '' })
        return undefined
      case 'symbol':
        holes.push({ path, why: 'it is a symbol', isSymbol: true })
        return undefined
      case 'string':
        if (!part.includes(annotationMark)) return part
        holes.push({ path, why: part.split(annotationMark)[1] ?? '', isAnnotation: true })
        return undefined
      case 'object':
        return part === null ? null : visitObject(part, path)
      default:
        return part
    }
  }

  function visitObject(part: object, path: readonly (string | number)[]): unknown {
    if (ancestors.has(part)) {
      holes.push({ path, why: 'it contains itself' })
      return undefined
    }
    ancestors.add(part)
    try {
      if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]))
      const why = whyNotJsonSchema(part)
      if (why !== undefined) {
        holes.push({ path, why })
        return undefined
      }
      const entries = Object.entries(part).flatMap(([key, member]): [string, unknown][] => {
        const plain = visit(member, [...path, key])
        return typeof member === 'symbol' ? [] : [[key, plain]]
      })
      return Object.fromEntries(entries)
    } finally {
      ancestors.delete(part)
    }
  }
}

/** Takes the plain schema out of a fluent one, as Fastify does. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fluent = value as Record<string | symbol, unknown>
  return fluent['isFluentSchema'] || fluent['isFluentJSONSchema'] || fluent[kFluent]
    ? (value.valueOf() as unknown)
    : value
}
