/** The Fastify release whose behaviour this is; plugins say which range of releases they work with. */
export const FASTIFY_VERSION = '4.21.0'
