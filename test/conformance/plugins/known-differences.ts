/** Tests of plugins that pass on Fastify only, by line and file. docs/guide/plugins.md names the plugins. */
import type { KnownDifference } from '../compare.ts'
import type { SuiteLine } from '../suite.ts'

const CONTEXT = "It looks for its hook under Fastify's private symbol for the context of a request."

/** Tests of @fastify/reply-from whose server answers 205 with content. */
const with205 = [
  'async-route-handler',
  'base-get',
  'base-querystring',
  'core-with-path-in-base',
  'custom-undici-instance',
  'disable-request-logging',
  'full-get-test',
  'full-https-get',
  'full-querystring',
  'full-querystring-rewrite',
  'full-querystring-rewrite-option',
  'full-querystring-rewrite-option-complex',
  'full-querystring-rewrite-option-function',
  'full-querystring-rewrite-option-function-request',
  'full-querystring-rewrite-string',
  'full-querystring-url',
  'http-agents',
  'https-agents',
  'modifyCoreObjects-false',
  'retry-on-503',
  'retry-with-a-custom-handler',
  'rewrite-headers',
  'rewrite-request-headers',
  'transform-body',
  'undici',
  'undici-custom-dispatcher',
  'undici-with-path-in-base',
  'unix-http',
  'unix-https',
  'unix-https-undici',
]

export const knownDifferences: Readonly<
  Record<SuiteLine, Readonly<Record<string, readonly KnownDifference[]>>>
> = {
  4: {
    'cors/hooks.test.js': [
      {
        title: /^Should set hook /,
        reason:
          "It looks for its hook under Fastify's private symbol for the context of a request.",
      },
    ],
    'swagger/spec/swagger/refs.js': [
      {
        title: /FST_ERR_SCH_ALREADY_PRESENT$/,
        reason: "It asks for an instance of the class in Fastify's private `lib/errors`.",
      },
    ],
  },
  5: {
    ...Object.fromEntries(
      with205.map((name) => [
        `reply-from/${name}.test.js`,
        [{ title: /./, reason: 'A 205 has no content (docs/reference/differences-5.md).' }],
      ]),
    ),
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
