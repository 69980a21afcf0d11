/**
 * `npm run conformance`: runs the test files of Fastify 4.21.0 on a second copy of Fastify, which only has no access to the private
 * parts of the first, and on the built package, which compiles schemas in process as in development. `-- --line 5` runs those of
 * Fastify 5.12.8 on `framework/5`.
 *
 * With `--no-codegen` only the development compiler may generate code. The options of `compareSuite` work as well.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosenLine, compareSuite } from './compare.ts'
import { knownDifferences } from './known-differences.ts'
import { installSuite } from './suite.ts'

const line = chosenLine()
const folderOfThis = new URL('../../../test/conformance/', import.meta.url)
const preload = new URL(line === '4' ? 'child/preload.mjs' : 'child/preload-5.mjs', folderOfThis)
const deniesCode = process.argv.includes('--no-codegen')
const { folder, suiteDir, secondPeer, files } = installSuite(line)

await compareSuite({
  files,
  knownDifferences: knownDifferences[line],
  start: (file, subject) => ({
    cwd: suiteDir,
    args: [
      // Some tests call V8's natives.
      '--allow-natives-syntax',
      '--import',
      preload.href,
      ...(line === '4' ? [] : ['--test-reporter=tap', '--test-timeout=10000']),
      join(suiteDir, 'test', file),
    ],
    env: {
      PEER_SUITE: suiteDir,
      PEER_CACHE_DIR: folder,
      PEER_TEST_FILE: file,
      PEER_TARGET:
        subject === 'original'
          ? secondPeer
          : fileURLToPath(new URL(line === '4' ? 'target.mjs' : 'target-5.mjs', folderOfThis)),
      ...(deniesCode && subject === 'ours' && { PEER_NO_CODEGEN: 'yes' }),
    },
  }),
})
