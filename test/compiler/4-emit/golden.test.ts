/**
 * Compares generated code with committed files, so that changes of Ajv or fast-json-stringify show up as a diff.
 * `UPDATE=1 npm test -- 4-emit/golden` rewrites `fixtures/emit/<case>/_expected`; review the diff before committing.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'node:test'
import { transformSync } from 'esbuild'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import type { EmittedUnit } from '../../../compiler/model/index.ts'
import type { CompileUnit } from '../../../runtime/artifact/index.ts'

type Config = Pick<CompileUnit, 'kind' | 'schema'> &
  Partial<CompileUnit> & { readonly description: string }

const root = join(import.meta.dirname, '../../../../fixtures/emit')
const update = process.env.UPDATE === '1'
assert.ok(!(update && process.env.CI), 'UPDATE=1 is for a developer, not for CI')

const cases = readdirSync(root).sort()
const units: CompileUnit[] = []
for (const name of cases) {
  const config = pathToFileURL(join(root, name, '_config.js')).href
  const { description, ...given } = ((await import(config)) as { default: Config }).default
  const options = given.kind === 'validator' ? { customOptions: {}, plugins: [] } : {}
  const unit: CompileUnit = { digest: '', externals: {}, options, ...given }
  units.push(unit)

  test(`${name}: ${description}`, () => {
    const actual = toModule(createEmitter().emit(unit))
    const file = join(root, name, '_expected', `${unit.kind}.js`)
    if (update) {
      mkdirSync(join(root, name, '_expected'), { recursive: true })
      writeFileSync(file, actual)
    }
    assert.ok(existsSync(file), `${file} is missing; run with UPDATE=1`)
    assert.equal(actual, readFileSync(file, 'utf8'))
  })
}

test('the code of a unit does not depend on what was emitted before', () => {
  const expected = units.map((unit) => createEmitter().emit(unit))
  const emitter = createEmitter()
  for (const order of [units, units.toReversed(), [...units, ...units]]) {
    for (const unit of order) assert.deepEqual(emitter.emit(unit), expected[units.indexOf(unit)])
  }
})

/** Formats the code as a module. */
function toModule({ code, imports, name }: EmittedUnit): string {
  const head =
    imports.length > 0 ? `import { ${imports.join(', ')} } from 'framework/internal'\n` : ''
  return transformSync(`${head}${code}\nexport default ${name}`, { charset: 'utf8' }).code
}
