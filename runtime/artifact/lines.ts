/** Release lines of Fastify that can be given compiled functions. */
const fastifyLines = ['fastify@4', 'fastify@5'] as const

export type FastifyLine = (typeof fastifyLines)[number]

/** What the functions of an artifact are made for: the runtime of this package, or Fastify itself. */
export const lines: readonly ['framework', ...typeof fastifyLines] = ['framework', ...fastifyLines]

export type Line = (typeof lines)[number]

/**
 * Whom serializers answer as: the fast-json-stringify of a line, or a later one that Fastify 5 may be installed with, called by
 * the first release of its kind.
 */
export type Serializing = Line | 'fast-json-stringify@6.2'

export type FastifySerializing = Exclude<Serializing, 'framework'>
