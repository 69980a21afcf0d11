import type { Loose } from './loose.ts'

/**
 * The options of Ajv 8 as `ajv.customOptions` takes them. They are written down here so that an application
 * type-checks without Ajv's own types; those of Ajv 8 fit.
 *
 * The framework's defaults are `coerceTypes: 'array'`, `useDefaults: true`, `removeAdditional: true`,
 * `addUsedSchema: false` and `allErrors: false`.
 */
export interface AjvOptions {
  /** Strict mode for everything that has no option of its own below. Default `true`. */
  strict?: boolean | 'log' | undefined
  strictSchema?: boolean | 'log' | undefined
  strictNumbers?: boolean | 'log' | undefined
  strictTypes?: boolean | 'log' | undefined
  strictTuples?: boolean | 'log' | undefined
  strictRequired?: boolean | 'log' | undefined
  allowMatchingProperties?: boolean | undefined
  allowUnionTypes?: boolean | undefined
  validateFormats?: boolean | undefined
  $data?: boolean | undefined
  /** Go on after the first violation. A client can make that expensive: keep it off in production. */
  allErrors?: boolean | undefined
  verbose?: boolean | undefined
  discriminator?: boolean | undefined
  unicodeRegExp?: boolean | undefined
  timestamp?: 'string' | 'date' | undefined
  parseDate?: boolean | undefined
  allowDate?: boolean | undefined
  specialNumbers?: 'fast' | 'null' | undefined
  $comment?:
    | true
    | ((comment: string, schemaPath?: string, rootSchema?: Loose) => unknown)
    | undefined
  /** By name: a regular expression, its source, a function, or an object with `validate`. */
  formats?: { [name: string]: Loose } | undefined
  /** Keyword definitions, or names of keywords to let pass. */
  keywords?: Loose[] | undefined
  schemas?: Loose[] | { [id: string]: Loose } | undefined
  logger?:
    | {
        log(...args: unknown[]): unknown
        warn(...args: unknown[]): unknown
        error(...args: unknown[]): unknown
      }
    | false
    | undefined
  loadSchema?: ((uri: string) => Promise<Loose>) | undefined
  /** Drop properties that the schema does not declare. */
  removeAdditional?: boolean | 'all' | 'failing' | undefined
  /** Fill in `default`; `'empty'` also in place of `null` and `''`. */
  useDefaults?: boolean | 'empty' | undefined
  /** Convert to the declared type; `'array'` also wraps a single value. */
  coerceTypes?: boolean | 'array' | undefined
  next?: boolean | undefined
  unevaluated?: boolean | undefined
  dynamicRef?: boolean | undefined
  schemaId?: 'id' | '$id' | undefined
  jtd?: boolean | undefined
  meta?: Loose
  defaultMeta?: Loose
  validateSchema?: boolean | 'log' | undefined
  addUsedSchema?: boolean | undefined
  inlineRefs?: boolean | number | undefined
  passContext?: boolean | undefined
  loopRequired?: number | undefined
  loopEnum?: number | undefined
  ownProperties?: boolean | undefined
  multipleOfPrecision?: number | undefined
  int32range?: boolean | undefined
  messages?: boolean | undefined
  code?: AjvCodeOptions | undefined
  uriResolver?: Loose
  ignoreKeywordsWithRef?: boolean | undefined
  jsPropertySyntax?: boolean | undefined
  unicode?: boolean | undefined
}

/** How Ajv writes the code of a validator. */
export interface AjvCodeOptions {
  es5?: boolean | undefined
  esm?: boolean | undefined
  lines?: boolean | undefined
  optimize?: boolean | number | undefined
  formats?: Loose
  source?: boolean | undefined
  process?: ((code: string, schema?: Loose) => string) | undefined
  regExp?: Loose
}
