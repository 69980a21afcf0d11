import { lowerHeaderNames } from './header-names.ts'
import { createReading, type FastifyReading } from './fastify.ts'

export const fastify5Reading: FastifyReading = createReading({
  hasShortForms: false,
  isPart: (schema) => schema !== undefined,
  mayLackSchema: false,
  lowerHeaders: lowerHeaderNames['fastify@5'],
})
