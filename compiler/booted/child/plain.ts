import { toPlain } from '../../../runtime/artifact/normalize.ts'
import { whyNotJsonSchema } from '../../util/not-json-schema.ts'
import type { RecordedValue } from '../recording.ts'

type Path = readonly (string | number)[]

/** Converts a schema to data that can be sent to another process. Other values are left out and listed. */
export function toRecorded(schema: unknown): RecordedValue {
  const holes: { path: Path; why: string }[] = []
  const ancestors = new Set<object>()
  const isLeftOut = (path: Path): boolean => holes.at(-1)?.path === path
  return { value: visit(schema, []), holes }

  function visit(original: unknown, path: Path): unknown {
    const value = toPlain(original)
    if (typeof value === 'symbol' || typeof value === 'bigint') {
      return leaveOut(path, `it is a ${typeof value}`)
    }
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
    const why = Array.isArray(value) ? undefined : whyNotJsonSchema(value)
    if (why !== undefined) return leaveOut(path, why)
    if (ancestors.has(value)) return leaveOut(path, 'it contains itself')
    ancestors.add(value)
    try {
      if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]))
      const members = Object.entries(value).flatMap(([key, member]) => {
        const inner = [...path, key]
        const plain = visit(member, inner)
        return isLeftOut(inner) ? [] : [[key, plain]]
      })
      return Object.fromEntries(members)
    } finally {
      ancestors.delete(value)
    }
  }

  function leaveOut(path: Path, why: string): undefined {
    holes.push({ path, why })
    return undefined
  }
}
