/** fast-json-stringify 7, which Fastify 5 serializes with. */
import { _ } from 'ajv'
import { copySchema } from '../copy-schema.ts'
import { createRules } from '../text/rewrite.ts'
import { serializerRules } from './rules.ts'
import type { SerializerVersion } from './version.ts'

export const version7: SerializerVersion = {
  prepare: copySchema,
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
