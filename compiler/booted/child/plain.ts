import { toPlain } from '../../../runtime/artifact/normalize.ts'
import { whyNotJsonSchema } from '../../util/not-json-schema.ts'
import type { RecordedValue } from '../recording.ts'

type Path = readonly (string | number)[]

/** Converts a schema to data that can be sent to another process. Other values are left out and listed. */
export function toRecorded(given: unknown): RecordedValue {
  const holes: { path: Path; why: string }[] = []
  const open = new Set<object>()
  return { value: visit(given, []), holes }

  function visit(given: unknown, path: Path): unknown {
    const value = toPlain(given)
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
      return primitive(value, path)
    }
    const why = Array.isArray(value) ? undefined : whyNotJsonSchema(value)
    if (why !== undefined) return leaveOut(path, why)
    if (open.has(value)) return leaveOut(path, 'it contains itself')
    open.add(value)
    try {
      return Array.isArray(value)
        ? value.map((item, index) => visit(item, [...path, index]))
        : members(value, path)
    } finally {
      open.delete(value)
    }
  }

  function primitive(value: unknown, path: Path): unknown {
    if (typeof value === 'symbol' || typeof value === 'bigint') {
      return leaveOut(path, `it is a ${typeof value}`)
    }
    return value
  }

  function members(value: object, path: Path): unknown {
    const result: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      const before = holes.length
      const plain = visit((value as Record<string, unknown>)[key], [...path, key])
      const isLeftOut = holes.slice(before).some((hole) => hole.path.length === path.length + 1)
      if (isLeftOut) continue
      Object.defineProperty(result, key, {
        value: plain,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return result
  }

  function leaveOut(path: Path, why: string): undefined {
    holes.push({ path, why })
    return undefined
  }
}
