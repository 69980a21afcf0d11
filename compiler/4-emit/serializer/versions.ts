import { _ } from 'ajv'
import type { SerializerProfile } from '../../target-profiles/profile.ts'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { createRules, type Rules } from '../text/rewrite.ts'
import { serializerRules } from './rules.ts'
import type { UnionProfile } from './union-validators.ts'
import { version5 } from './version-5.ts'

/** The version of fast-json-stringify that serializers behave like. Version 7 writes the code of all. */
export interface SerializerVersion {
  /** Returns the schema that version 7 gets. @param id the `$id` of a shared schema */
  prepare<T>(schema: T, id?: string): T
  /** Runs `build`, a call of fast-json-stringify. */
  whileBuilding<T>(build: () => T): T
  readonly unions: UnionProfile
  /** Rewrites the code. */
  readonly rules: Rules
}

/** fast-json-stringify 7, which Fastify 5 serializes with. */
const version7: SerializerVersion = {
  prepare: cloneSchema,
  whileBuilding: (build) => build(),
  unions: {
    uris: 4,
    options: ({ strictSchema = false }) => ({ strictSchema }),
    // A branch of type string accepts objects with a `toJSON`.
    failsAsString: (data) => _`!${data} || typeof ${data}.toJSON !== "function"`,
    schemasOf: ({ prepared }) => new Map(Object.entries(prepared)),
  },
  rules: createRules(serializerRules),
}

/** fast-json-stringify 6.2 to 7.0: like version 5, except for unions. */
const version6: SerializerVersion = {
  ...version5,
  unions: { ...version5.unions, uris: 4, failsAsString: version7.unions.failsAsString },
}

export const versions: Readonly<Record<SerializerProfile['version'], SerializerVersion>> = {
  5: version5,
  6: version6,
  7: version7,
}
