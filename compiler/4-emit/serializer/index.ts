/** Serializers: what fast-json-stringify compiles in process, as statements. */
import { createRequire } from 'node:module'
import type { Logger, Options } from 'ajv'
import type { SerializerOptions } from '../../../runtime/artifact/index.ts'
import type { EmittedCode } from '../emitted-code.ts'
import { hideUnserialized, hidingInMerged } from './unserialized.ts'
import { linkSerializer } from './code.ts'
import { QUIET } from '../values/stand-in.ts'
import { createUnionLinker } from './union-validators.ts'

export interface SerializerEmitter {
  emit(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
    options: SerializerOptions,
  ): EmittedCode
  /** Throws an error when the schema is not taken among those to be referred to. */
  check(id: string, schema: unknown): void
}

/** What fast-json-stringify gives back in its mode `debug`. */
interface DebugBuild {
  readonly code: string
  readonly validator: { getState(): { readonly ajvSchemas: Readonly<Record<string, unknown>> } }
}

interface SchemaError {
  readonly instancePath: string
  readonly message: string
}

const require = createRequire(import.meta.url)

const build = require('fast-json-stringify') as (schema: unknown, options: object) => DebugBuild

const isSchema = require('fast-json-stringify/lib/schema-validator.js') as {
  (schema: unknown): boolean
  readonly errors: readonly SchemaError[]
}

/** The export of `framework/internal` for each way of rounding; `trunc` is the default. */
const INTEGERS: Readonly<Record<string, string>> = {
  ceil: 'asIntegerCeil',
  floor: 'asIntegerFloor',
  round: 'asIntegerRound',
}

/** Names that fast-json-stringify makes up; it counts them through the life of the process. */
const COUNTED = /__fjs_(root|merged)_\d+/g

export function createSerializerEmitter(logger: Logger | undefined): SerializerEmitter {
  return { emit, check }

  function emit(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
    options: SerializerOptions,
  ): EmittedCode {
    const text = JSON.stringify([schema, externals])
    const others = externalsFor(schema, externals)
    const hidden = { ...toDebug(options, text), schema: hideAll(others) }
    const { code, validator } = hidingInMerged(() => build(hideUnserialized(schema), hidden))
    checkSyntax(code)
    const unions = createUnionLinker({
      schemas: { root: schema, externals: others, prepared: validator.getState().ajvSchemas },
      options: { logger: logger ?? QUIET, ...(options.ajv as Options) },
      text,
    })
    const used = new Set<string>()
    const main = linkSerializer(code, {
      asInteger: INTEGERS[String(options.rounding)] ?? 'asInteger',
      validator: unions.add,
      use: (name) => used.add(name),
    })
    const { imports, liveValues, statements } = unions.finish()
    return {
      name: 'main',
      code: recount(`${statements}\n${main}`, text),
      imports: new Set([...used, ...imports]),
      liveValues,
    }
  }
}

/** In the words of fast-json-stringify, which checks all schemas that it is given before it looks at their use. */
function check(id: string, schema: unknown): void {
  if (isSchema(schema)) return
  const { instancePath, message } = isSchema.errors[0] as SchemaError
  throw new Error(`"${id}" schema is invalid: data${instancePath} ${message}`)
}

/** As `@fastify/fast-json-stringify-compiler` 4 does it: the schema itself wins over a shared one. */
function externalsFor(
  schema: unknown,
  externals: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = { ...externals }
  const { $id } = schema as { $id?: string }
  if ($id) delete others[$id]
  return others
}

function hideAll(externals: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hidden = Object.entries(externals).map(([id, schema]): [string, unknown] => [
    id,
    hideUnserialized(schema, id),
  ])
  return Object.fromEntries(hidden)
}

/**
 * In this mode it hands out its code. Options that version 5 does not know count for nothing; and the Ajv of its
 * unions is of no use to us: it is left quiet, and knows the schema of schemas only where the text of the schemas may
 * name it.
 */
function toDebug(options: SerializerOptions, text: string): object {
  const { rounding, largeArrayMechanism, largeArraySize } = options
  const ajv = { logger: false, meta: text.includes('json-schema.org') }
  return { rounding, largeArrayMechanism, largeArraySize, mode: 'debug', ajv }
}

/** What a pattern or an empty union breaks, in process the engine refuses; its message is kept. */
function checkSyntax(code: string): void {
  // oxlint-disable-next-line no-new-func -- parses only: the build must fail where a process would
  Function('validator', 'serializer', code)
}

/** Renumbers what was counted, but nothing that stands in the schema itself. */
function recount(code: string, schemaText: string): string {
  const own = new Set(schemaText.match(COUNTED))
  const names = new Map<string, string>()
  return code.replace(COUNTED, (name: string, kind: string) => {
    if (own.has(name)) return name
    let counted = names.get(name)
    if (counted === undefined) names.set(name, (counted = `__fjs_${kind}_${names.size}`))
    return counted
  })
}
