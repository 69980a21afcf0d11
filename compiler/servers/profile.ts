/** Profiles of the servers that an application can be built for. */
import type { LineName, Serializing } from '../../runtime/artifact/lines.ts'
import type { SchemaReading } from '../../runtime/artifact/normalize.ts'

/** How a server treats an application. The phases read differences between servers from here. */
export interface TargetProfile {
  readonly name: LineName
  /** The version of Fastify that plugins are compared with. */
  readonly fastify: string
  readonly routes: RouteProfile
  readonly schemas: SchemaProfile
  readonly validators: ValidatorProfile
  readonly serializers: SerializerProfile
  /** True if the server generates code at run time, whatever the build does. */
  readonly generatesCode: boolean
}

export interface RouteProfile {
  /** The methods of `instance.all`. */
  readonly methods: readonly string[]
  /** Methods of an instance that declare routes, besides `all`. */
  readonly shorthands: readonly string[]
  /** Methods whose routes can't have a body schema. */
  readonly bodiless: ReadonlySet<string>
  /** True if GET in a list of methods gets a HEAD twin. */
  readonly listsHaveTwins: boolean
  /** True if `get` in lower case gets a HEAD twin. */
  readonly lowerCaseHasTwins: boolean
  /** True if `/a/` and a nested prefix `b` are joined to `/a//b`. */
  readonly doublesSlash: boolean
}

/** How the server reads the `schema` option of a route. */
export interface SchemaProfile extends SchemaReading {
  /** True if properties without `type: 'object'` are a schema. */
  readonly hasShortForms: boolean
  /** True if a compiler that is set for a context stays in use when schemas are added. */
  readonly keepsCompilers: boolean
  /** True if validators and serializers are looked up by route; otherwise by schema. */
  readonly areLookedUpByRoute: boolean
}

export interface ValidatorProfile {
  /** The release line, which is part of the digests. */
  readonly line: LineName
  /** The version of ajv-formats. */
  readonly formats: 2 | 3
  /** The version of fast-uri, by which references are resolved. */
  readonly fastUri: 2 | 4
  /** The values of `ajv.mode`; any other means draft-07. */
  readonly modes: ReadonlySet<string>
}

export interface SerializerProfile {
  /** The implementation whose output they match, which is part of the digests. */
  readonly line: Serializing
  /** Which releases of fast-json-stringify the output matches: 5 means 5.0 to 6.1, 6 for 6.2 to 7.0, 7 for later ones. */
  readonly version: 5 | 6 | 7
}
