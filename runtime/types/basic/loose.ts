/**
 * `any`, for values that this package passes through and whose type only the application knows.
 *
 * `unknown` would make the user narrow or cast at every use, and applications typed for Fastify don't.
 * This is the one place where the public types give up on checking.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any
