/** Compiles the validators with which serializers select a branch of `anyOf`, `oneOf` or `if`. */
import type { AnySchema, Code, KeywordCxt, Options } from 'ajv'
import { Ajv } from 'ajv'
import { createLinker, type Linker } from '../validator/link.ts'
import { markNames } from '../validator/mark-names.ts'
import { addFormats, uriResolvers } from '../values/versions.ts'

export interface UnionSchemas {
  readonly root: unknown
  readonly externals: Readonly<Record<string, unknown>>
  /** All schemas as fast-json-stringify changes them, and those that it merges, by the key in its code. */
  readonly prepared: Readonly<Record<string, unknown>>
}

/** The differences between versions of fast-json-stringify. */
export interface UnionProfile {
  /** The version of fast-uri. */
  readonly fastUri: 2 | 4
  options(userOptions: Options): Options
  /** Returns a test for objects that a branch of type string refuses. */
  failsAsString(data: KeywordCxt['data']): Code
  /** Returns the schemas for Ajv, by the key in the code. */
  schemasOf(schemas: UnionSchemas): ReadonlyMap<string, unknown>
}

export interface UnionLinker {
  /** Returns the name of the validator for a reference. Throws Ajv's error if the schema doesn't exist or can't be compiled. */
  add(reference: string): string
  finish(): Pick<Linker, 'imports' | 'memoryValues'> & { readonly statements: string }
}

const NOTHING: ReturnType<UnionLinker['finish']> = {
  imports: new Set(),
  memoryValues: [],
  statements: '',
}

/** @param text the JSON of the schemas, for `markNames` */
export function createUnionLinker(
  schemas: UnionSchemas,
  options: Options,
  text: string,
  profile: UnionProfile,
): UnionLinker {
  let instance: { readonly ajv: Ajv; readonly linker: Linker } | undefined
  return {
    add(reference) {
      instance ??= createInstance()
      const validate = instance.ajv.getSchema(reference)
      if (validate === undefined) throw new Error(`no schema with key or ref "${reference}"`)
      return instance.linker.add(validate)
    },
    finish: () =>
      instance ? { ...instance.linker, statements: instance.linker.statements() } : NOTHING,
  }

  function createInstance(): { readonly ajv: Ajv; readonly linker: Linker } {
    const ajv = createUnionAjv(options, profile)
    const marked = markNames(ajv, text)
    for (const [key, schema] of profile.schemasOf(schemas)) ajv.addSchema(schema as AnySchema, key)
    return { ajv, linker: createLinker(marked) }
  }
}

function createUnionAjv(options: Options, profile: UnionProfile): Ajv {
  const ajv = new Ajv({
    ...options,
    // Errors aren't read.
    messages: false,
    validateSchema: false,
    allowUnionTypes: true,
    uriResolver: uriResolvers[profile.fastUri],
    ...profile.options(options),
  })
  // The version of fast-json-stringify 5.16 and later.
  addFormats(ajv, 3)
  ajv.addKeyword({
    keyword: 'fjs_type',
    type: 'object',
    errors: false,
    code: (context: KeywordCxt) => context.fail(profile.failsAsString(context.data)),
  })
  return ajv
}
