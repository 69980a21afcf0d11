/** Members of `Reflect` that a package adds, which the scan doesn't follow, and those that helpers of TypeScript look for. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { temporaryFolder, writeAll } from '../../support/folders.ts'
import { scanProgram } from '../../support/scan-program.ts'

const dir = temporaryFolder({ after })
writeAll(dir, {
  'node_modules/metadata/index.js': `const all = new Map()
Reflect.defineMetadata = (key, value) => void all.set(key, value)
Reflect.getMetadata = (key) => all.get(key)
`,
  'add-own.js': `Reflect.own = (value) => value\n`,
})

const cases: Readonly<Record<string, readonly [program: string, values: readonly unknown[]]>> = {
  'a check of one throws only perhaps': [
    "if (typeof Reflect.getMetadata !== 'function') throw new Error('add an import')",
    [{ const: 1 }],
  ],
  'a check of one has two results': [
    'if (!Reflect.getMetadata) one = 2',
    [{ const: 1 }, { const: 2 }],
  ],
  'helpers do without theirs': [
    'if (Reflect.decorate ?? Reflect.metadata) one = 2',
    [{ const: 1 }],
  ],
  'those of the application are known': ['one = Reflect.own(3)', [{ const: 3 }]],
}

for (const [name, [setUp, expected]] of Object.entries(cases)) {
  test(name, async () => {
    const head = ["import 'metadata'", "import './add-own.js'", 'let one = 1']
    const { values, diagnostics } = await scanProgram(dir, head, {
      setUp,
      result: '{ const: one }',
    })
    assert.deepEqual(diagnostics, [])
    assert.deepEqual(
      values.sort(),
      expected.map((value) => JSON.stringify(value)),
    )
  })
}
