/**
 * Creates compile units: everything that a schema is compiled from, as seen from one encapsulation context.
 *
 * The build creates its compile units here, and the runtime the digests that it looks up. Both agree on what
 * a compiled function depends on.
 */
import {
  allowedBy,
  containsName,
  type IsAllowed,
  mayHaveAnnotations,
  pointsToAnnotation,
  withoutAnnotations,
} from './annotations.ts'
import { digestOf } from './digest.ts'
import { lowerCaseHeaders } from './header-names.ts'
import type { CompileUnit, Digest, SerializerOptions, ValidatorOptions } from './index.ts'
import { isExact, toJson } from './json.ts'
import type { Serializing } from './lines.ts'
import { createReach } from './reach.ts'
import { VERSION } from './version.ts'

/** Creates units of one kind, for the shared schemas of a context. */
export interface UnitFactory {
  /**
   * Returns the digest of a schema. Schemas that differ in annotations alone have the same one, unless functions
   * may depend on annotations: own keywords read them, and errors or messages may contain them.
   *
   * @param httpPart for validators
   * @throws TypeError if the schema has a cycle or a bigint
   */
  digest(schema: object, httpPart?: string): Digest
  /**
   * Returns a text that identifies everything that functions for these schemas can be made from.
   *
   * @param schemas values that contain results of `inJson`
   * @throws TypeError as `digest` does
   */
  fingerprint(schemas: readonly unknown[]): string
  readonly options: CompileUnit['options']
  /** Returns what all functions depend on besides their schema: options, each shared schema, and their order if it matters. */
  settings(): readonly string[]
  /** Returns the schema for `fingerprint`. Functions in it are described if the application's own keywords may read them. */
  inJson(schema: unknown): unknown
  unit(schema: object, httpPart?: string): CompileUnit
}

/** Options by the kind of the functions that they are for. */
interface OptionsOf {
  readonly validator: ValidatorOptions
  readonly serializer: SerializerOptions
}

/** Creates the factory for a context. @param line the server that the functions are for: lines don't share functions */
export function createUnitFactory<Kind extends CompileUnit['kind']>(
  kind: Kind,
  externals: Externals,
  options: OptionsOf[Kind],
  line: Serializing = 'framework',
): UnitFactory {
  const common = createFactory(kind, externals, options, line)
  if (kind === 'serializer') return common
  const ownOptions = optionsByPart(options as ValidatorOptions, line)
  const byPart = new Map<string | undefined, UnitFactory>()
  const factoryOf = (httpPart: string | undefined): UnitFactory => {
    let factory = byPart.get(httpPart)
    if (factory === undefined) byPart.set(httpPart, (factory = createForPart(httpPart)))
    return factory
  }
  const createForPart = (httpPart: string | undefined): UnitFactory => {
    const own = ownOptions.get(httpPart)
    // For other servers, shared schemas are used as they are there.
    const lowered =
      httpPart === 'headers' && line === 'framework' ? lowerEach(externals) : externals
    if (own === undefined && lowered === externals) return common
    return createFactory(kind, lowered, own ?? options, line)
  }
  return {
    ...common,
    digest: (schema, httpPart) => factoryOf(httpPart).digest(schema),
    unit: (schema, httpPart) => factoryOf(httpPart).unit(schema),
  }
}

type Externals = Readonly<Record<string, unknown>>

/** Returns the shared schemas for header schemas, the same object if no header names have capitals. */
function lowerEach(externals: Externals): Externals {
  const entries = Object.entries(externals).map(([id, one]) => [id, lowerCaseHeaders(one)] as const)
  return entries.every(([id, one]) => one === externals[id])
    ? externals
    : Object.fromEntries(entries)
}

type ByPart = ReadonlyMap<string | undefined, ValidatorOptions>

/** Compilers are cached by the identity of their options. */
const knownByPart = new WeakMap<ValidatorOptions, ByPart>()

/** Returns the complete options of request parts that have their own, which other servers ignore. */
function optionsByPart(options: ValidatorOptions, line: Serializing): ByPart {
  if (line !== 'framework') return new Map()
  let byPart = knownByPart.get(options)
  if (byPart === undefined) {
    const { parts = {}, ...common } = options
    byPart = new Map(
      Object.entries(parts).map(([httpPart, own]) => [
        httpPart,
        { ...common, customOptions: { ...common.customOptions, ...own } },
      ]),
    )
    knownByPart.set(options, byPart)
  }
  return byPart
}

function createFactory(
  kind: CompileUnit['kind'],
  externals: Externals,
  options: CompileUnit['options'],
  line: Serializing,
  hasAnnotations = true,
): UnitFactory {
  const optionsText = describeOptions(kind, options, line)
  const maker = line === 'framework' ? VERSION : `${VERSION} for ${line}`
  const head = `${maker}\n${kind}\n${optionsText}\n`
  // Plugins and own keywords may read any schema and add functions to it.
  const isExtended = optionsText.includes('"[function')
  const reach = createReach(externals, isExtended)
  /** By schema object: many routes share the schemas of their errors. */
  const known = new WeakMap<object, Digest>()
  /** Includes all shared schemas, because finding out which ones a schema reaches takes longer. */
  let knownSettings: Digest | undefined
  const isAllowed = allowedBy(keywordsOf(kind, options))
  /** The factory for schemas without annotations. */
  let plain: UnitFactory | undefined
  let areOthersPlain: boolean | undefined
  return { options, digest, fingerprint, settings, inJson, unit }

  function digest(schema: object): Digest {
    const digest = known.get(schema)
    if (digest !== undefined) return digest
    const text = textOf(schema)
    return digestOfText(schema, text, idsOf(text))
  }

  function digestOfText(schema: object, text: string, ids: readonly string[]): Digest {
    const all = text + reach.textsOf(ids).join('')
    const digest = mayIgnoreAnnotations(schema, all) ? plainDigest(schema) : digestOf(head + all)
    // Fastify 5 has schemas that are booleans.
    if (typeof schema === 'object') known.set(schema, digest)
    return digest
  }

  /** @param all JSON of the schema and of the shared schemas that it refers to */
  function mayIgnoreAnnotations(schema: object, all: string): boolean {
    if (!hasAnnotations || isExtended || showsSchemas(options)) return false
    // JSON Type Definition has no annotations: Ajv refuses them.
    if ((options as ValidatorOptions).mode === 'JTD') return false
    if (!mayHaveAnnotations(all) || pointsToAnnotation(all)) return false
    // Copies without annotations are plain data.
    areOthersPlain ??= isExact(externals) && !Object.values(externals).some(containsName)
    return areOthersPlain && isExact(schema) && !containsName(schema)
  }

  function plainDigest(schema: object): Digest {
    plain ??= createFactory(
      kind,
      withoutAnnotationsEach(externals, isAllowed),
      options,
      line,
      false,
    )
    return plain.digest(withoutAnnotations(schema, isAllowed))
  }

  function fingerprint(schemas: readonly unknown[]): string {
    return settingsDigest() + JSON.stringify(schemas)
  }

  function settingsDigest(): Digest {
    return (knownSettings ??= digestOf(settings().join('')))
  }

  function settings(): readonly string[] {
    return [head, ...reach.textsOf(reach.all)]
  }

  function inJson(schema: unknown): unknown {
    return isExtended ? toJson(schema, isExtended) : schema
  }

  function unit(schema: object): CompileUnit {
    const reached: Record<string, unknown> = {}
    const text = textOf(schema)
    const ids = idsOf(text)
    // In the order of `addSchema`, which matters if a shared schema contains the id of another.
    const used = new Set(ids)
    for (const id of Object.keys(externals)) if (used.has(id)) reached[id] = externals[id]
    const digest = known.get(schema) ?? digestOfText(schema, text, ids)
    return { kind, digest, schema, externals: reached, options }
  }

  function textOf(schema: object): string {
    return JSON.stringify(toJson(schema, isExtended))
  }

  function idsOf(text: string): readonly string[] {
    return isExtended ? reach.all : reach.from(text)
  }
}

/** Returns whether errors contain the schema (`verbose`), or Ajv reports its comments. */
function showsSchemas(options: CompileUnit['options']): boolean {
  const { verbose, $comment } = ((options as ValidatorOptions).customOptions ?? {}) as {
    verbose?: unknown
    $comment?: unknown
  }
  return !!verbose || !!$comment
}

/** Returns the check whether a schema may have a keyword that isn't one of JSON Schema: Ajv's strict mode refuses undeclared ones. */
function keywordsOf(
  kind: CompileUnit['kind'],
  options: CompileUnit['options'],
): (keyword: string) => boolean {
  if (kind === 'serializer') return () => true
  const { customOptions } = options as ValidatorOptions
  const { strict, strictSchema, keywords } = customOptions
  if ((strictSchema ?? strict ?? true) !== true) return () => true
  return (keyword) => Array.isArray(keywords) && keywords.includes(keyword)
}

function withoutAnnotationsEach(externals: Externals, isAllowed: IsAllowed): Externals {
  return Object.fromEntries(
    Object.entries(externals).map(([id, schema]) => [id, withoutAnnotations(schema, isAllowed)]),
  )
}

/** The name of the plugin function in ajv-formats. Fastify doesn't add formats if the application adds it. */
export const FORMATS_PLUGIN = 'formatsPlugin'

/**
 * Returns the options as text, independent of the order of members.
 *
 * A function is represented by its place only, except the plugin of ajv-formats: the text of functions, and often their name, change
 * with every tool that processes the source. Replay checks find out whether a function still does the same.
 */
function describeOptions(
  kind: CompileUnit['kind'],
  options: CompileUnit['options'],
  line: Serializing,
): string {
  if (kind === 'serializer') return JSON.stringify(canonical(options))
  const { customOptions, plugins, mode, onCreate, ...more } = options as ValidatorOptions
  const parts = line === 'framework' ? more.parts : undefined
  return JSON.stringify([
    canonical(customOptions),
    ...([mode, onCreate, parts].some(Boolean) ? [canonical([mode, onCreate, parts])] : []),
    (plugins ?? []).map((plugin) => {
      const [extend, argument] = Array.isArray(plugin) ? (plugin as unknown[]) : [plugin]
      const isFormats = (extend as { name?: string } | undefined)?.name === FORMATS_PLUGIN
      return [isFormats ? `[function ${FORMATS_PLUGIN}]` : '[function]', canonical(argument)]
    }),
  ])
}

/** Sorts the members of plain data. Replaces other values by a description. */
function canonical(value: unknown): unknown {
  if (typeof value === 'function') return '[function]'
  if (value === null || typeof value !== 'object') return value
  if (value instanceof RegExp) return `[regexp ${String(value)}]`
  if (Array.isArray(value)) return value.map(canonical)
  const prototype = Object.getPrototypeOf(value) as unknown
  if (prototype !== Object.prototype && prototype !== null) return '[object]'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, canonical(member)])
}
