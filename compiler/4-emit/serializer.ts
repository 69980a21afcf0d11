/** Serializers: what fast-json-stringify compiles in process, as statements. */
import { createRequire } from 'node:module'
import type { Ajv, Logger, Options, ValidateFunction } from 'ajv'
import type { SerializerOptions } from '../../runtime/artifact/index.ts'
import { copySchema } from './copy.ts'
import type { EmittedCode } from './emitted-code.ts'
import { createLinker } from './link.ts'
import { markNames } from './mark-names.ts'
import { linkSerializer } from './serializer-code.ts'

export interface SerializerEmitter {
  emit(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
    options: SerializerOptions,
  ): EmittedCode
}

/** What fast-json-stringify gives back in its mode `debug`. */
interface DebugBuild {
  readonly code: string
  readonly ajv: Ajv
  readonly validator: { getSchemaValidator(reference: string): ValidateFunction }
}

const build = createRequire(import.meta.url)('fast-json-stringify') as (
  schema: unknown,
  options: object,
) => DebugBuild

/** The export of `framework/internal` for each way of rounding; `trunc` is the default. */
const INTEGERS: Readonly<Record<string, string>> = {
  ceil: 'asIntegerCeil',
  floor: 'asIntegerFloor',
  round: 'asIntegerRound',
}

/** Names that fast-json-stringify makes up; it counts them through the life of the process. */
const COUNTED = /__fjs_(root|merged)_\d+/g

export function createSerializerEmitter(logger: Logger | undefined): SerializerEmitter {
  return { emit }

  function emit(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
    options: SerializerOptions,
  ): EmittedCode {
    const text = JSON.stringify([schema, externals])
    const { code, ajv, validator } = build(copySchema(schema), {
      ...toDebug(options, logger),
      schema: externalsFor(schema, externals),
    })
    checkSyntax(code)
    const linker = createLinker(markNames(ajv, text), 'verdict')
    const imports = new Set<string>()
    const main = linkSerializer(code, {
      asInteger: INTEGERS[String(options.rounding)] ?? 'asInteger',
      validator: (reference) => linker.add(validator.getSchemaValidator(reference)),
      use: (name) => imports.add(name),
    })
    for (const name of linker.imports) imports.add(name)
    return {
      name: 'main',
      code: recount(`${linker.statements()}\n${main}`, text),
      imports,
      liveValues: linker.liveValues,
    }
  }
}

/** As `@fastify/fast-json-stringify-compiler` 4 does it: the schema itself wins over a shared one. */
function externalsFor(
  schema: unknown,
  externals: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = copySchema({ ...externals })
  const { $id } = schema as { $id?: string }
  if ($id) delete others[$id]
  return others
}

/**
 * In this mode it hands out its code and the Ajv of its unions. What the union validators report is read by
 * nobody, so it is left short.
 */
function toDebug(options: SerializerOptions, logger: Logger | undefined): object {
  const ajv = options.ajv as Options | undefined
  return {
    ...options,
    mode: 'debug',
    // The other mechanism gives the same text in another way, and only on some versions of V8.
    objectMechanism: options.objectMechanism === 'native' ? 'default' : options.objectMechanism,
    ajv: { logger: logger ?? false, ...ajv, messages: false },
  }
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
