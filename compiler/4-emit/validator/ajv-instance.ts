/** Instances of Ajv as Fastify makes them. */
import type { Ajv, AnySchema, Logger, Options, Plugin } from 'ajv'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import type { ValidatorMeaning } from '../../lines/line.ts'
import { copySchema } from '../copy.ts'
import { EmitError } from '../errors.ts'
import { allowsLightRefs, useLightRefs } from './light-refs.ts'
import { markNames, type MarkedAjv } from './mark-names.ts'
import { addFormats } from '../values/formats.ts'
import { createRecordingAjv } from '../values/recording-ajv.ts'
import { uriResolvers } from '../values/uri-resolvers.ts'

type Externals = Readonly<Record<string, unknown>>

/** What `@fastify/ajv-compiler` sets unless the application says otherwise. */
const DEFAULTS: Options = {
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  allErrors: false,
}

/** The plugin's own name for itself, by which Fastify knows that the application brings it. */
const FORMATS_PLUGIN = 'formatsPlugin'

/** @param text the JSON of the schemas that it is for */
export function createAjv(
  externals: Externals,
  options: ValidatorOptions,
  line: ValidatorMeaning,
  logger: Logger,
  text: string,
): MarkedAjv {
  const { customOptions, plugins, mode, onCreate } = options
  const custom: Options = customOptions
  const ajv = createRecordingAjv(line.modes.has(String(mode)) ? mode : undefined, {
    ...DEFAULTS,
    uriResolver: uriResolvers[line.uris],
    logger,
    ...custom,
  })
  const marked = markNames(ajv, text)
  if (allowsLightRefs(options)) useLightRefs(ajv)
  let needsFormats = true
  for (const entry of plugins) {
    const [plugin, argument] = (Array.isArray(entry) ? entry : [entry]) as [
      Plugin<unknown>,
      unknown,
    ]
    if (plugin.name === FORMATS_PLUGIN) needsFormats = false
    const given: readonly [unknown?] = Array.isArray(entry) ? [argument] : []
    ajv.adding = { plugin, options: given }
    plugin(ajv, ...given)
    ajv.adding = undefined
  }
  if (needsFormats) addFormats(ajv, line.formats)
  if (typeof onCreate === 'function') {
    ajv.adding = { plugin: onCreate, options: [] }
    ;(onCreate as (ajv: Ajv) => void)(ajv)
    ajv.adding = undefined
  }
  for (const schema of Object.values(externals)) ajv.addSchema(copySchema(schema) as AnySchema)
  return marked
}

/**
 * Compiles as Fastify does: a schema whose `$id` is known already is not compiled, the known one stands for
 * it. What the compilation adds to the instance is taken back, so that the next one finds it as it was.
 */
export function compileWith<T>(
  ajv: Ajv,
  schema: unknown,
  use: (validate: AnyValidateFunction) => T,
): T {
  const restore = snapshot(ajv)
  try {
    const copy = copySchema(schema) as AnySchema & { $id?: string }
    const known = copy.$id ? ajv.getSchema(copy.$id) : undefined
    if (known === undefined && ajv.opts.addUsedSchema && copy.$id) {
      throw new EmitError(
        `with the Ajv option \`addUsedSchema\` it depends on the order of routes what "${copy.$id}" is, so it cannot be compiled ahead of time`,
      )
    }
    return use(known ?? ajv.compile(copy))
  } finally {
    restore()
  }
}

type AnyValidateFunction = ReturnType<Ajv['compile']>

function snapshot(ajv: Ajv): () => void {
  const {
    refs,
    schemas,
    _cache: cache,
  } = ajv as unknown as {
    refs: Record<string, unknown>
    schemas: Record<string, unknown>
    _cache: Map<unknown, unknown>
  }
  const restores = [refs, schemas].map((record) => {
    const before = { ...record }
    return () => {
      for (const key of Object.keys(record)) delete record[key]
      Object.assign(record, before)
    }
  })
  const cached = new Set(cache.keys())
  return () => {
    for (const restore of restores) restore()
    for (const key of cache.keys()) {
      if (!cached.has(key)) cache.delete(key)
    }
  }
}
