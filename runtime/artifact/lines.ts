/** Release lines of Fastify that can use compiled functions. */
const fastifyLines = ['fastify@4', 'fastify@5'] as const

export type FastifyLine = (typeof fastifyLines)[number]

/** The servers that an artifact's functions can be for: this package's runtime, or Fastify itself. `fastify@5` is also for `framework/5`. */
export const lines: readonly ['framework', ...typeof fastifyLines] = ['framework', ...fastifyLines]

export type LineName = (typeof lines)[number]

/** The releases that the applications of a line answer like, for messages. */
export const lineTitles: Readonly<Record<LineName, string>> = {
  framework: 'Fastify 4.21',
  'fastify@4': 'Fastify 4',
  'fastify@5': 'Fastify 5',
}

/** The fast-json-stringify that serializers match: that of a release line, or an older one that Fastify 5 may be installed with. */
export type Serializing = LineName | 'fast-json-stringify@6.2'

export type FastifySerializing = Exclude<Serializing, 'framework'>
