/**
 * Gives Fastify itself the functions of an artifact that was built for its line. The build joins this room to one file
 * and puts it beside the functions, so that an application needs this package only to be built.
 */
export { preload } from './preload.ts'
export { createSchemaController } from './schema-controller.ts'
