/** Tests of plugins that pass on Fastify only, by line and file. docs/guide/plugins.md names the plugins. */
import type { KnownDifference } from '../compare.ts'
import type { SuiteLine } from '../suite.ts'

const CONTEXT = "It looks for its hook under Fastify's private symbol for the context of a request."

export const knownDifferences: Readonly<
  Record<SuiteLine, Readonly<Record<string, readonly KnownDifference[]>>>
> = {
  4: {
    'cors/hooks.test.js': [{ title: /^Should set hook /, reason: CONTEXT }],
    'swagger/spec/swagger/refs.js': [
      {
        title: /FST_ERR_SCH_ALREADY_PRESENT$/,
        reason: "It asks for an instance of the class in Fastify's private `lib/errors`.",
      },
    ],
  },
  5: {
    'bearer-auth/hooks.test.js': [
      { title: /^onRequest hook used by default$/, reason: CONTEXT },
      { title: / hook used when specified$/, reason: CONTEXT },
    ],
    'cors/hooks.test.js': [{ title: /^Should set hook /, reason: CONTEXT }],
    'view/index.test.js': [
      {
        title: /^plugin is registered with "point-of-view" name$/,
        reason: 'It reads the names of plugins under a private symbol.',
      },
    ],
  },
}
