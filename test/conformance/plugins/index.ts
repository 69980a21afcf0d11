/**
 * `npm run conformance:plugins`: runs the test files that plugins for Fastify bring along in their packages on Fastify 4.21.0 itself,
 * and on the built package, which compiles schemas in process as in development. `-- --line 5` runs those of the plugins for Fastify 5. See
 * `compareSuite` for the other options.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosenLine, compareSuite, type KnownDifference } from '../compare.ts'
import { installPlugins } from './suite.ts'

type KnownDifferences = Readonly<Record<string, readonly KnownDifference[]>>

const in4: KnownDifferences = {
  'cors/hooks.test.js': [
    {
      title: /^Should set hook /,
      reason: "It looks for its hook under Fastify's private symbol for the context of a request.",
    },
  ],
  'swagger/spec/swagger/refs.js': [
    {
      title: /FST_ERR_SCH_ALREADY_PRESENT$/,
      reason: "It asks for an instance of the class in Fastify's private `lib/errors`.",
    },
  ],
}

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

const in5: KnownDifferences = {
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
}

const line = chosenLine()
const here = new URL('../../../../test/conformance/', import.meta.url)
// The patience and the errors of tap aren't those of `node:test`.
const preload = line === '4' ? 'plugins/child/preload.mjs' : 'plugins/child/redirect.mjs'
const flags = line === '4' ? [] : ['--test-reporter=tap', '--test-timeout=15000']
const target = fileURLToPath(new URL(line === '4' ? 'target.mjs' : 'target-5.mjs', here))
const { folder, files } = installPlugins(line)

await compareSuite({
  files,
  knownDifferences: line === '4' ? in4 : in5,
  start(file, subject) {
    const [plugin = '', ...rest] = file.split('/')
    const cwd = join(folder, 'suite', plugin)
    return {
      cwd,
      args: [...flags, '--import', new URL(preload, here).href, join(cwd, 'test', ...rest)],
      env: { PEER_SUITE: folder, ...(subject === 'ours' && { PEER_TARGET: target }) },
    }
  },
})
