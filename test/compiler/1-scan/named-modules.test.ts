/** The modules that a file names, in any place and spelling. Within statements, most files aren't searched for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedModules } from '../../../compiler/1-scan/modules/module-syntax.ts'
import { parse } from '../../../compiler/util/source/parse.ts'

const cases: Readonly<Record<string, readonly string[]>> = {
  "import a from 'a'; import 'b'; a()": ['a', 'b'],
  "import a from 'a'; import type b from 'b'": [],
  "export * from 'a'; export { b } from 'b'; export type { c } from 'c'": ['a', 'b'],
  "const f = () => import('a')": ['a'],
  "const f = () => import ('a')": ['a'],
  "const f = () => import /* now */ ('a')": ['a'],
  "const f = () => import // now\n ('a')": ['a'],
  "const f = () => { if (x) require('a') }": ['a'],
  "import a = require('a')": ['a'],
  "const f = () => r\\u0065quire('a')": ['a'],
  "declare module 'x' { export * from 'a' }": ['a'],
  "const schema = { required: ['a'], import: 'b' }": [],
}

for (const [text, expected] of Object.entries(cases)) {
  test(text, () => {
    const source = parse('a.ts', text)
    const found = namedModules(source).map(({ specifier }) => specifier)
    assert.deepEqual(found, expected)
  })
}
