/** Lines besides Fastify 4's whose entry is part of the program. `framework/5` adds itself. */
export interface Lines {}

/**
 * Chooses the type of the line that the program imports.
 *
 * Both lines share their interfaces, because plugins declare their members for one module. A program that imports both lines has the types
 * of Fastify 5.
 */
export type ByLine<Four, Five> = 'fastify5' extends keyof Lines ? Five : Four
