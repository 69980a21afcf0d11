/** The Fastify release whose behaviour this is, for the version ranges of plugins. */
export const FASTIFY_VERSION = '4.21.0'
