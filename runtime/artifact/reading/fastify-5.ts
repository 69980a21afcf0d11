import { lowerHeaderNames } from '../header-names.ts'
import { createReading, type SchemaReading } from '../normalize.ts'
import { copyShared } from './copy-shared.ts'

/** How Fastify 5 reads the `schema` option of a route. */
export const fastify5Reading: SchemaReading = createReading({
  hasShortForms: false,
  hasBodyContent: true,
  mayLackSchema: false,
  isPart: (schema) => schema !== undefined,
  shared: copyShared,
  lowerHeaders: lowerHeaderNames['fastify@5'],
})
