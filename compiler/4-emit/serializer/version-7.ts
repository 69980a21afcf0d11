/** fast-json-stringify 7, which Fastify 5 serializes with: what writes the code says what it means. */
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
    // Where a branch is a string, every object with a `toJSON` will do besides.
    failsAsString: (data) => _`!${data} || typeof ${data}.toJSON !== "function"`,
    schemasOf: ({ prepared }) => new Map(Object.entries(prepared)),
  },
  rules: createRules(serializerRules),
}
