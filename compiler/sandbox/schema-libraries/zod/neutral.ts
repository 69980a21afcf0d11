/** Tells for which types encoding gives what parsing gives: those without codecs, transforms, defaults and the like. */
import type { ZodType } from '../../../../runtime/artifact/zod-digest.ts'
import { definitionOf } from './core.ts'

const leaves: ReadonlySet<unknown> = new Set(
  `any bigint boolean date enum literal nan never null number string template_literal undefined unknown void`.split(
    ' ',
  ),
)

/** Checks of a container that read neither its members nor functions of the application: they see the same before and after parsing. */
const sizeChecks: ReadonlySet<unknown> = new Set(['min_length', 'max_length', 'length_equals'])

export function isNeutral(type: ZodType, ancestors: readonly ZodType[] = []): boolean {
  if (ancestors.includes(type)) return false
  const def = definitionOf(type)
  const areNeutral = (list: readonly unknown[]): boolean =>
    list.every((one) => isNeutral(one as ZodType, [...ancestors, type]))
  const checks = ((def['checks'] as readonly ZodType[] | undefined) ?? []).map(
    (one) => definitionOf(one).check,
  )
  if (def['coerce']) return false
  if (leaves.has(def.type))
    return !checks.includes('overwrite') && !(def['format'] !== undefined && def['normalize'])
  if (!checks.every((check) => sizeChecks.has(check))) return false
  switch (def.type) {
    case 'object':
      return areNeutral([...Object.values(def['shape'] as object), ...listOf(def['catchall'])])
    case 'array':
      return areNeutral([def['element']])
    case 'optional':
    case 'nullable':
    case 'nonoptional':
      return areNeutral([def['innerType']])
    case 'union':
      return (
        areNeutral(def['options'] as readonly unknown[]) &&
        def['discriminator'] === undefined &&
        def['inclusive'] !== false
      )
    case 'record':
      return areNeutral([def['keyType'], def['valueType']])
    case 'tuple':
      return areNeutral([...(def['items'] as readonly unknown[]), ...listOf(def['rest'])])
    default:
      return false
  }
}

function listOf(optional: unknown): readonly unknown[] {
  return optional === undefined || optional === null ? [] : [optional]
}
