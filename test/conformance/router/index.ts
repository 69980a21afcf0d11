/**
 * `npm run conformance:router`: runs the test files of find-my-way on find-my-way itself, and on our router, where code generation is
 * refused. See `compareSuite` for the options.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareSuite } from '../compare.ts'
import { installOnce } from '../install.ts'
import { cacheDir } from '../suite.ts'

/** The suite, and the tools it was written for. */
const dependencies = { 'find-my-way': '7.7.0', rfdc: '1.3.0', tap: '16.3.4' }

const folder = join(cacheDir, 'router')
const suite = join(folder, 'node_modules/find-my-way')
const redirect = new URL('redirect.js', import.meta.url).href

installOnce(folder, { dependencies }, () => {})
await compareSuite({
  files: readdirSync(join(suite, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort(),
  knownDifferences: {},
  start: (file, subject) => ({
    cwd: suite,
    args: [
      ...(subject === 'ours'
        ? ['--disallow-code-generation-from-strings', '--import', redirect]
        : []),
      join(suite, 'test', file),
    ],
    env: { CONFORMANCE_PEER: join(suite, 'index.js') },
  }),
})
