/** Copies the plain data of a value. Lists everything else and leaves it out, except for the keys of unknown annotations. Drops symbol keys, as JSON does. */
import { toPlain } from '../../../../runtime/artifact/normalize.ts'
import { whyNotJsonSchema } from '../../../util/not-json-schema.ts'
import { annotationMark, type Hole, type Outcome } from '../protocol.ts'

export function toPlainData(root: unknown): Extract<Outcome, { type: 'plain' }> {
  const holes: Hole[] = []
  const ancestors = new Set<object>()
  return { type: 'plain', value: visit(root, []), holes }

  function visit(original: unknown, path: Hole['path']): unknown {
    const part = toPlain(original)
    switch (typeof part) {
      case 'bigint':
        return leaveOut({ path, why: 'it is a bigint' })
      case 'symbol':
        return leaveOut({ path, why: 'it is a symbol', isSymbol: true })
      case 'string':
        if (!part.includes(annotationMark)) return part
        return leaveOut({ path, why: part.split(annotationMark)[1] ?? '', isAnnotation: true })
      case 'function':
      case 'object':
        return part === null ? null : visitObject(part, path)
      default:
        return part
    }
  }

  function visitObject(part: object, path: Hole['path']): unknown {
    const why = Array.isArray(part) ? undefined : whyNotJsonSchema(part)
    if (why !== undefined) return leaveOut({ path, why })
    if (ancestors.has(part)) return leaveOut({ path, why: 'it contains itself' })
    ancestors.add(part)
    try {
      if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]))
      const members = Object.entries(part).flatMap(([key, member]) => {
        const inner = [...path, key]
        const plain = visit(member, inner)
        const last = holes.at(-1)
        return last?.path === inner && !last.isAnnotation ? [] : [[key, plain]]
      })
      return Object.fromEntries(members)
    } finally {
      ancestors.delete(part)
    }
  }

  function leaveOut(hole: Hole): undefined {
    holes.push(hole)
    return undefined
  }
}
