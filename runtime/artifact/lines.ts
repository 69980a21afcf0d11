/** Release lines of Fastify that can be given compiled functions. */
const fastifyLines = ['fastify@4', 'fastify@5'] as const

export type FastifyLine = (typeof fastifyLines)[number]

/** What the functions of an artifact are made for: the runtime of this package, or Fastify itself. */
export const lines: readonly ['framework', ...typeof fastifyLines] = ['framework', ...fastifyLines]

export type Line = (typeof lines)[number]
