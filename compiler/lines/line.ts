import type { Line, Serializing } from '../../runtime/artifact/lines.ts'
import type {
  Fail,
  NormalizeOptions,
  RouteSchema,
  SerializerPart,
  ValidatorPart,
} from '../../runtime/artifact/normalize.ts'

/**
 * What an application means to those who will serve it. Each line of Fastify, and the runtime of this package, is a row of
 * values; nothing but the row tells one from another.
 */
export interface LineMeaning {
  readonly name: Line
  /** The release that plugins ask for. */
  readonly fastify: string
  readonly routes: RouteMeaning
  readonly schemas: SchemaMeaning
  readonly validators: ValidatorMeaning
  readonly serializers: SerializerMeaning
  /** Whether code is generated when it runs, whatever the build does. */
  readonly generatesCode: boolean
}

export interface RouteMeaning {
  /** What `all` stands for. */
  readonly methods: readonly string[]
  /** Methods of an instance that declare a route of that name, besides `all`. */
  readonly shorthands: readonly string[]
  /** Methods whose routes cannot have a body schema. */
  readonly bodiless: ReadonlySet<string>
  /** Whether GET has a HEAD twin as well where it stands in a list of methods. */
  readonly listsHaveTwins: boolean
  /** Whether GET has one as well when it is written in lower case. */
  readonly lowerCaseHasTwins: boolean
  /** Whether GET has none where any HEAD route answers its URL, not only one of the same path. */
  readonly twinsYield: boolean
  /** The factory option that holds those of the router; a deprecated way is to give them beside it. */
  readonly routerOptions: string | undefined
  /** The method that adds methods, if there is one. */
  readonly addMethod: string | undefined
}

/** What the `schema` option of a route says. */
export interface SchemaMeaning {
  /** Completes it, in place. */
  normalize(schema: RouteSchema, options: NormalizeOptions, fail: Fail): RouteSchema
  /** In the order in which they are compiled. @param keepsHeaders a compiler was set: names of headers stay as they are */
  validators(schema: RouteSchema, keepsHeaders: boolean): readonly ValidatorPart[]
  serializers(schema: RouteSchema, fail: Fail): readonly SerializerPart[]
  /** What a shared schema is to compilers. */
  shared(schema: unknown): unknown
  /** Whether properties alone may stand for a schema. */
  readonly hasShortForms: boolean
  /** Whether a compiler that is set for a context stays when schemas are added to it. */
  readonly keepsCompilers: boolean
  /** Whether routes are looked up as a whole; otherwise each schema is. */
  readonly areWhole: boolean
}

export interface ValidatorMeaning {
  /** Whose they are: part of the name of each. */
  readonly line: Line
  /** The version of ajv-formats. */
  readonly formats: 2 | 3
  /** The version of fast-uri, by which references are resolved. */
  readonly uris: 2 | 4
  /** What `ajv.mode` may be; anything else stands for draft-07. */
  readonly modes: ReadonlySet<string>
  /** Whether `ajv.parts` is looked at. */
  readonly hasParts: boolean
}

export interface SerializerMeaning {
  /** Whom they answer as: part of the name of each. */
  readonly line: Serializing
  /** The version of fast-json-stringify; 6 stands for 6.2 to 7.0, and what was before is as 5. */
  readonly version: 5 | 6 | 7
}
