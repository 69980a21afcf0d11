/**
 * A value that this package neither reads nor checks and that its user knows better.
 *
 * `unknown` would make the user narrow or cast at every use, and applications typed for Fastify do not.
 * This is the one place where the public types give up on checking.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any
