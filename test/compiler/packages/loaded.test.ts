/** What the build says of packages, against what they do where code generation is refused. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { meaningOf } from '../../../compiler/lines/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { reportPackages } from '../../../compiler/packages/index.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>

/** What no application imports, and what takes long to look into. */
const tools =
  /^(?:@arethetypeswrong|@rollup|autocannon|esbuild|ox|rollup|terser|ts-morph|typescript|workerd)/

/** Loads each of the packages; prints those that are refused. */
const loadAll = `
const { createRequire } = require('node:module')
const load = createRequire(${JSON.stringify(join(root, 'package.json'))})
const refused = []
for (const name of process.argv.slice(1)) {
  try { load(name) } catch (error) { if (error instanceof EvalError) refused.push(name) }
}
console.log(JSON.stringify(refused))
process.exit()
`

test('a package is said to generate code when it is loaded if and only if it cannot be loaded without', async () => {
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !tools.test(name),
  )
  const flag = '--disallow-code-generation-from-strings'
  const refused = JSON.parse(
    execFileSync(process.execPath, [flag, '--eval', loadAll, ...names], { encoding: 'utf8' }),
  ) as string[]
  const found: Diagnostic[] = []
  await reportPackages(
    {
      packages: names.map((specifier, line) => ({
        specifier,
        importer: join(root, 'package.json'),
        isRequired: true,
        isCertain: true,
        at: { file: 'app.js', line, column: 1 },
      })),
      names: new Set(),
      plugins: [],
    },
    { root, strictEval: false },
    meaningOf('framework'),
    (problem) => void found.push(problem),
  )
  const loaded = found.filter(({ message }) => message.includes('when it is loaded'))
  assert.deepEqual(new Set(loaded.map(({ at }) => names[at.line])), new Set(refused))
  assert.notEqual(refused.length, 0)
})
