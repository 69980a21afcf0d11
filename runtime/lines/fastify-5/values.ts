/** Values of Fastify 5 that the build reads too. */

/** The release that the line answers like. */
export const FASTIFY_5_VERSION = '5.12.8'

/** Methods whose body Fastify 5 doesn't read. Its instances have shorthands for these and for `withBody`. */
export const bodiless: readonly string[] = ['GET', 'HEAD', 'TRACE']
export const withBody: readonly string[] = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY']
