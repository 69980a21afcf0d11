/**
 * `npm run conformance:plugins`: runs the test files that plugins for Fastify bring along in their packages on Fastify 4.21.0 itself,
 * and on the built package, which compiles schemas in process as in development. `-- --line 5` runs those of the plugins for Fastify 5. See
 * `compareSuite` for the other options.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosenLine, compareSuite } from '../compare.ts'
import { knownDifferences } from './known-differences.ts'
import { installPlugins } from './suite.ts'

const line = chosenLine()
const here = new URL('../../../../test/conformance/', import.meta.url)
// The timeouts and errors of tap differ from those of `node:test`.
const preload = line === '4' ? 'plugins/child/preload.mjs' : 'plugins/child/redirect.mjs'
const flags = line === '4' ? [] : ['--test-reporter=tap', '--test-timeout=15000']
const target = fileURLToPath(new URL(line === '4' ? 'target.mjs' : 'target-5.mjs', here))
const { folder, files } = installPlugins(line)

await compareSuite({
  files,
  knownDifferences: knownDifferences[line],
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
