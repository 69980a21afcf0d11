/**
 * `npm run conformance:plugins`: runs the test files that plugins for Fastify bring along in their packages on Fastify 4.21.0 itself,
 * and on the built package, which compiles schemas in process as in development. See `compareSuite` for the options.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareSuite, type KnownDifference } from '../compare.ts'
import { installPlugins, listTestFiles, pluginsDir } from './suite.ts'

const knownDifferences: Readonly<Record<string, readonly KnownDifference[]>> = {
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

const folder = new URL('../../../../test/conformance/', import.meta.url)
const preload = new URL('plugins/child/preload.mjs', folder).href

installPlugins()
await compareSuite({
  files: listTestFiles(),
  knownDifferences,
  start(file, subject) {
    const [plugin = '', ...rest] = file.split('/')
    const cwd = join(pluginsDir, 'suite', plugin)
    return {
      cwd,
      args: ['--import', preload, join(cwd, 'test', ...rest)],
      env: {
        PEER_SUITE: pluginsDir,
        ...(subject === 'ours' && { PEER_TARGET: fileURLToPath(new URL('target.mjs', folder)) }),
      },
    }
  },
})
