/** Tests of plugins that pass on Fastify only, by line and file. docs/guide/plugins.md names the plugins. */
import type { KnownDifference } from '../compare.ts'
import type { SuiteLine } from '../suite.ts'

const CONTEXT = "It looks for its hook under Fastify's private symbol for the context of a request."

/** Files of tests of @fastify/reply-from whose server answers 205 with content; each has a test with the name of the file. */
const named205 = [
  'async-route-handler base-get base-querystring core-with-path-in-base',
  'full-querystring-rewrite full-querystring-rewrite-option',
  'full-querystring-rewrite-option-complex full-querystring-rewrite-option-function',
  'full-querystring-rewrite-option-function-request full-querystring-rewrite-string',
  'full-querystring-url http-agents https-agents modifyCoreObjects-false transform-body',
  'undici unix-http unix-https unix-https-undici',
].flatMap((line) => line.split(' '))

/** The others, by file. */
const with205: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(named205.map((name) => [name, [name.replaceAll('-', ' ')]])),
  'custom-undici-instance': [
    "use a custom instance of 'undici' > custom Client",
    "use a custom instance of 'undici' > custom Pool",
  ],
  'disable-request-logging': [
    "use a custom instance of 'undici' > disableRequestLogging is not defined",
    "use a custom instance of 'undici' > disableRequestLogging is set to false",
    "use a custom instance of 'undici' > disableRequestLogging is set to true",
  ],
  'full-get-test': ['full get'],
  'full-https-get': ['full-https-get'],
  'full-querystring': ['full querystring rewrite'],
  'retry-on-503': [
    'Should retry on 503 HTTP error',
    'Should retry on 503 HTTP error with Retry-After response header',
  ],
  'retry-with-a-custom-handler': [
    "a server 500's with a custom handler and should revive",
    'custom retry delay function inspects the err paramater',
    'custom retry delay functions can invoke the default delay',
    'we can exceed our retryCount and introspect attempts independently',
    'we handle our retries based on the retryCount',
  ],
  'rewrite-headers': ['rewriteHeaders'],
  'rewrite-request-headers': ['rewriteRequestHeaders'],
  'undici-custom-dispatcher': ["use a custom instance of 'undici'"],
  'undici-with-path-in-base': ['undici request with path in base'],
}

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
    ...Object.fromEntries(
      Object.entries(with205).map(([name, titles]) => [
        `reply-from/${name}.test.js`,
        titles.map((title) => ({
          title: new RegExp(`^${title}$`),
          reason: 'A 205 has no content (docs/reference/differences-5.md).',
        })),
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
