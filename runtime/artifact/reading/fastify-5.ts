import { lowerHeaderNames } from './header-names.ts'
import { createReading } from './fastify.ts'
import type { SchemaReading } from './index.ts'

export const fastify5Reading: SchemaReading = createReading({
  hasShortForms: false,
  isPart: (schema) => schema !== undefined,
  mayLackSchema: false,
  lowerHeaders: lowerHeaderNames['fastify@5'],
})
