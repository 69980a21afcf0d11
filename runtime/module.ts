/**
 * The package's main module under a name, for `types/fastify.d.cts`.
 *
 * It must be named this way and no other. TypeScript merges what plugins declare for `fastify` and what an
 * application declares for `framework` only when both lead to one and the same module, and of all ways to
 * name a module this is the one that neither wraps it (`import *` does, for its default export) nor takes its
 * `module.exports` in its place (`import x = require()` does).
 */
export type * as framework from './index.ts'
