/** Creates instances of Ajv as Fastify does. */
import type { Ajv, AnySchema, Logger, Options } from 'ajv'
import type { OptionPath, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { FORMATS_PLUGIN } from '../../../runtime/artifact/units.ts'
import type { ValidatorProfile } from '../../servers/profile.ts'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { EmitError } from '../errors.ts'
import { allowsDirectRefs, useDirectRefs } from './direct-refs.ts'
import { markNames, type MarkedAjv } from './mark-names.ts'
import { addFormats, uriResolvers } from '../values/versions.ts'
import { createRecordingAjv, type RecordingAjv } from '../values/recording-ajv.ts'
import { checkQuickly, compileMetaFor } from './schema-check.ts'
import { QUIET } from '../values/stub.ts'

type Externals = Readonly<Record<string, unknown>>

/** The defaults of `@fastify/ajv-compiler`. */
const DEFAULTS: Options = {
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  allErrors: false,
}

/** @param text the JSON of the schemas to be compiled */
export function createAjv(
  externals: Externals,
  options: ValidatorOptions,
  profile: ValidatorProfile,
  logger: Logger,
  text: string,
): MarkedAjv {
  const ajv = newAjv(options, profile, logger)
  const marked = markNames(ajv, text)
  // Shortcuts that plugins and other options could observe.
  if (allowsDirectRefs(options)) {
    useDirectRefs(ajv)
    checkQuickly(ajv)
    compileMetaFor(ajv, text)
    // Nobody reads the warnings.
    if (logger === QUIET && ajv.opts.strictTypes === 'log') ajv.opts.strictTypes = false
  }
  equip(ajv, options, profile, externals, (plugin, args) => {
    ajv.adding = { plugin, options: args }
    ;(plugin as AnyPlugin)(ajv, ...args)
    ajv.adding = undefined
  })
  return marked
}

type AnyPlugin = (ajv: Ajv, options?: unknown) => unknown

/** Creates an instance without plugins and shared schemas. */
export function newAjv(
  { customOptions, mode }: ValidatorOptions,
  profile: ValidatorProfile,
  logger: Logger = QUIET,
): RecordingAjv {
  const custom: Options = customOptions
  return createRecordingAjv(profile.modes.has(String(mode)) ? mode : undefined, {
    ...DEFAULTS,
    uriResolver: uriResolvers[profile.fastUri],
    logger,
    ...custom,
  })
}

/** Adds plugins, the formats that Fastify adds, and shared schemas. */
export function equip(
  ajv: Ajv,
  { plugins, onCreate }: ValidatorOptions,
  profile: ValidatorProfile,
  externals: Externals,
  run: (plugin: unknown, args: readonly [unknown?], option: OptionPath) => void,
): void {
  let needsFormats = true
  for (const [i, entry] of plugins.entries()) {
    const [plugin, argument] = (Array.isArray(entry) ? entry : [entry]) as [AnyPlugin, unknown]
    if (plugin.name === FORMATS_PLUGIN) needsFormats = false
    run(plugin, Array.isArray(entry) ? [argument] : [], ['plugins', i])
  }
  if (needsFormats) addFormats(ajv, profile.formats)
  if (typeof onCreate === 'function') run(onCreate, [], ['onCreate'])
  for (const schema of Object.values(externals)) ajv.addSchema(cloneSchema(schema) as AnySchema)
}

/**
 * Compiles as Fastify does: a schema whose `$id` is known is replaced by the known one. Afterwards the instance is restored for the
 * next schema.
 */
export function compileWith<T>(
  ajv: Ajv,
  schema: unknown,
  use: (validate: AnyValidateFunction) => T,
): T {
  const restore = snapshot(ajv)
  try {
    const copy = cloneSchema(schema) as AnySchema & { $id?: string }
    const known = copy.$id ? ajv.getSchema(copy.$id) : undefined
    if (known === undefined && ajv.opts.addUsedSchema && copy.$id) {
      throw new EmitError(
        `with the Ajv option \`addUsedSchema\`, the meaning of "${copy.$id}" depends on the order of routes, so it can't be compiled ahead of time`,
      )
    }
    return use(known ?? ajv.compile(copy))
  } finally {
    restore()
  }
}

type AnyValidateFunction = ReturnType<Ajv['compile']>

interface AjvState extends Record<'refs' | 'schemas', Record<string, unknown>> {
  readonly _cache: Map<unknown, unknown>
}

/** Remembers the schemas of an instance. Returns a function that restores them. */
function snapshot(ajv: Ajv): () => void {
  const { refs, schemas, _cache: cache } = ajv as unknown as AjvState
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
