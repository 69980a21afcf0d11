/**
 * Copies the plain data of a value. Lists everything else and leaves it out, except for the keys of unknown annotations, and for types
 * of schema libraries that can be described as JSON schema. Drops symbol keys, as JSON does.
 */
import { toPlain } from '../../../runtime/artifact/normalize.ts'
import { describeType } from '../schema-libraries/index.ts'
import { isLibraryType, whyNotJsonSchema } from '../../util/not-json-schema.ts'
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
    const description = isLibraryType(part) ? describeType(part) : undefined
    if (why !== undefined && description !== undefined) {
      const { input, ...described } = description
      holes.push({ path, why, described })
      return input
    }
    if (why !== undefined) return leaveOut({ path, why })
    if (ancestors.has(part)) return leaveOut({ path, why: 'it contains itself' })
    ancestors.add(part)
    try {
      if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]))
      const members = Object.entries(part).flatMap(([key, member]) => {
        const inner = [...path, key]
        const plain = visit(member, inner)
        const last = holes.at(-1)
        return last?.path === inner && !isKept(last) ? [] : [[key, plain]]
      })
      return Object.fromEntries(members)
    } finally {
      ancestors.delete(part)
    }
  }

  function isKept({ isAnnotation, described }: Hole): boolean {
    return isAnnotation === true || described !== undefined
  }

  function leaveOut(hole: Hole): undefined {
    holes.push(hole)
    return undefined
  }
}
