/** Shows schemas to rules: members are read through references. */
import { addressOf } from '../../runtime/artifact/reach.ts'
import { fragmentPath, isMembers, valueAt } from '../../compiler/util/json.ts'
import type { RuleSchema } from '../../compiler/model/rules.ts'

type Members = Readonly<Record<string, unknown>>

/** References that lead to references. */
const maxSteps = 100

/**
 * @param shared the shared schemas that its context sees, by `$id`
 * @param refuse called for a reference that can't be followed
 */
export function viewOf(
  schema: unknown,
  shared: Readonly<Record<string, unknown>>,
  refuse: (why: string) => never,
): RuleSchema {
  const byAddress = new Map(
    Object.entries(shared).map(([id, one]) => [addressOf(id), one] as const),
  )
  /** A schema that contains itself has a view that does. */
  const views = new Map<Members, object>()
  return view(schema, schema) as RuleSchema

  function view(value: unknown, outer: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => view(one, outer))
    if (!isMembers(value)) return value
    const known = views.get(value)
    if (known !== undefined) return known
    const shown = {}
    views.set(value, shown)
    let [layer, document]: readonly [Members, unknown] = [value, outer]
    for (let steps = 0; ; steps++) {
      if (typeof layer['$id'] === 'string' && !layer['$id'].startsWith('#')) document = layer
      addMembers(shown, layer, document)
      const { $ref } = layer
      if (typeof $ref !== 'string') return shown
      const found = steps < maxSteps ? follow($ref, document) : undefined
      if (found === undefined) refuse(`"$ref": "${$ref}" can't be followed`)
      ;[layer, document] = found
    }
  }

  function addMembers(shown: object, layer: Members, document: unknown): void {
    for (const [name, value] of Object.entries(layer)) {
      if ((name === '$ref' && typeof value === 'string') || Object.hasOwn(shown, name)) continue
      const get = (): unknown => view(value, document)
      Object.defineProperty(shown, name, { get, enumerable: true })
    }
  }

  function follow(ref: string, document: unknown): readonly [Members, unknown] | undefined {
    const [base = '', fragment = ''] = ref.split('#')
    const { $id } = document as { readonly $id?: unknown }
    const absolute =
      typeof $id === 'string' && URL.canParse(base, $id) ? new URL(base, $id).href : base
    const target =
      base === ''
        ? document
        : (byAddress.get(addressOf(base)) ?? byAddress.get(addressOf(absolute)))
    const path = fragmentPath(target, fragment)
    const found = path && valueAt(target, path)
    return isMembers(found) ? [found, target] : undefined
  }
}
