/**
 * Gives the real Fastify the functions of an artifact. The build copies this folder, joined to one file, into
 * such artifacts, so that an application needs this package only for building.
 */
export { preload } from './preload.ts'
export { createSchemaController } from './schema-controller.ts'
