/** Emits serializers as fast-json-stringify compiles them. */
import type { Logger, Options } from 'ajv'
import type { SerializerOptions } from '../../../runtime/artifact/index.ts'
import type { KindEmitter } from '../values/emitted-code.ts'
import type { SerializerProfile } from '../../servers/profile.ts'
import { linkSerializer } from './link.ts'
import { assertSchema, buildCode } from './fast-json-stringify.ts'
import { versions } from './versions.ts'
import { QUIET } from '../values/stub.ts'
import { createUnionLinker } from './union-validators.ts'

/** The export of `framework/internal` for each way of rounding except `trunc`, the default. */
const INTEGERS: Readonly<Record<string, string>> = {
  ceil: 'asIntegerCeil',
  floor: 'asIntegerFloor',
  round: 'asIntegerRound',
}

/** Generated names, which fast-json-stringify numbers consecutively for the whole process. */
const COUNTED = /__fjs_(root|merged)_\d+/g

export function createSerializerEmitter(
  logger: Logger | undefined,
  profile: SerializerProfile,
): KindEmitter<SerializerOptions> {
  const version = versions[profile.version]
  return {
    check: ({ id, schema }) => assertSchema(schema, id),
    emit(schema, externals, options) {
      const text = JSON.stringify([schema, externals])
      const others = externalsFor(schema, externals)
      const root = version.prepare(schema)
      const prepared = { ...toBuild(options, text), schema: prepareAll(others) }
      const { code, schemas } = version.whileBuilding(() => buildCode(root, prepared))
      const unions = createUnionLinker(
        { root: schema, externals: others, prepared: schemas },
        { logger: logger ?? QUIET, ...(options.ajv as Options) },
        text,
        version.unions,
      )
      const used = new Set<string>()
      const main = linkSerializer(code, version.rules, {
        asInteger: INTEGERS[String(options.rounding)] ?? 'asInteger',
        validator: unions.add,
        use: (name) => used.add(name),
      })
      const { imports, memoryValues, statements } = unions.finish()
      return {
        name: 'main',
        code: recount(`${statements}\n${main}`, text),
        imports: new Set([...used, ...imports]),
        memoryValues,
      }
    },
  }

  function prepareAll(externals: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(externals).map(([id, schema]) => [id, version.prepare(schema, id)]),
    )
  }
}

/** Removes a shared schema with the `$id` of the schema, as `@fastify/fast-json-stringify-compiler` does. */
function externalsFor(
  schema: unknown,
  externals: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = { ...externals }
  const { $id } = schema as { $id?: string }
  if ($id) delete others[$id]
  return others
}

/**
 * Returns the options that affect code. The Ajv of fast-json-stringify isn't used, so it logs nothing, and compiles the meta-schema only
 * if schemas may refer to it.
 */
function toBuild(options: SerializerOptions, text: string): object {
  const { rounding, largeArrayMechanism, largeArraySize } = options
  const ajv = { logger: false, meta: text.includes('json-schema.org') }
  return { rounding, largeArrayMechanism, largeArraySize, ajv }
}

/** Numbers generated names from zero, so that each build emits the same code. Leaves such names in texts of the schema unchanged. */
function recount(code: string, schemaText: string): string {
  const inSchema = new Set(schemaText.match(COUNTED))
  const names = new Map<string, string>()
  return code.replace(COUNTED, (name: string, kind: string) => {
    if (inSchema.has(name)) return name
    let numbered = names.get(name)
    if (numbered === undefined) names.set(name, (numbered = `__fjs_${kind}_${names.size}`))
    return numbered
  })
}
