/** The Fastify release that `framework` behaves like. The version ranges of plugins must include it. */
export const FASTIFY_VERSION = '4.21.0'
