/** Modules give `process` and `cwd` names of their own. Node's deployments report files of the working directory, and those for Workers have them. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Deployment } from '../../../compiler/deploy/index.ts'
import { createWorkshop, filesLeftOut } from '../../support/workshop.ts'

/** The expression of each module evaluates to the working directory. */
const modules: Readonly<Record<string, readonly [statements: string, expression: string]>> = {
  'global.js': ['', 'process.cwd()'],
  'member.js': ['', 'globalThis.process.cwd()'],
  'named.js': [`import { cwd } from 'node:process'`, 'cwd()'],
  'old-name.js': [`import { cwd } from 'process'`, 'cwd()'],
  'renamed.js': [`import { argv, cwd as here } from 'node:process'`, 'here()'],
  'default.js': [`import proc from 'node:process'`, 'proc.cwd()'],
  'namespace.js': [`import * as all from 'node:process'`, 'all.cwd()'],
  'destructured.js': ['const { cwd } = process', 'cwd()'],
  'taken-out.js': ['const { env, cwd: folder, ...rest } = process', 'folder()'],
  'variable.js': ['const home = process.cwd', 'home()'],
  'required.cjs': [`const { cwd } = require('process')`, 'cwd()'],
  'object.cjs': [`const proc = require('node:process')`, 'proc.cwd()'],
  'compiled.cjs': [`const process_1 = require('node:process')`, '(0, process_1.cwd)()'],
}

/** Functions of other objects have the name as well. */
const others: Readonly<Record<string, readonly [statements: string, expression: string]>> = {
  'own.js': [`const cwd = () => 'elsewhere'`, 'cwd()'],
  'shell.js': [`const shell = { cwd: () => 'elsewhere' }`, 'shell.cwd()'],
  'parameter.js': [`const run = (cwd) => cwd`, `run(() => 'elsewhere')()`],
}

describe('a path that begins at the working directory', () => {
  const all = { ...modules, ...others }
  const shop = createWorkshop(
    { after },
    'cli/empty',
    Object.fromEntries(
      Object.entries(all).flatMap(([file, [statements, expression]]) => {
        const isCommonJs = file.endsWith('.cjs')
        const load = isCommonJs
          ? `const { readFileSync } = require('node:fs')\nconst { join } = require('node:path')`
          : `import { readFileSync } from 'node:fs'\nimport { join } from 'node:path'`
        const read = `() => readFileSync(join(${expression}, 'texts', '${file}.txt'), 'utf8')`
        const exported = isCommonJs ? `exports.read = ${read}` : `export const read = ${read}`
        return [
          [file, `${load}\n${statements}\n${exported}\n`],
          [`texts/${file}.txt`, file],
        ]
      }),
    ),
  )
  const names = Object.keys(all)
  shop.writeApp(`import framework from 'framework/5'
${names.map((file, i) => `import { read as read${i} } from './${file}'`).join('\n')}
export default function shop() {
  const app = framework()
  ${names.map((_, i) => `app.get('/${i}', async () => read${i}())`).join('\n  ')}
  return app
}
`)
  const expected = Object.keys(modules).map((file) => `texts/${file}.txt`)

  test('is reported for Node', () => {
    const left = filesLeftOut(shop.warnings('deploy', 'app.js', '--target', 'node'))
    assert.deepEqual([...left.keys()].sort(), expected.sort())
  })

  test('leads to a copy in a Worker', () => {
    const { assets } = shop.result<Deployment>('deploy', 'app.js', '--target', 'workerd')
    const copied = assets.filter((file) => file.includes('/texts/'))
    assert.deepEqual(copied.sort(), expected.map((file) => `files/${file}`).sort())
  })
})
