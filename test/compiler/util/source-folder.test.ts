import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { CompilerOptions } from '../../../compiler/util/modules/compiler-options.ts'
import { SourceFiles } from '../../../compiler/util/source-files.ts'
import { temporaryFolder, writeAll } from '../../support/folders.ts'

/** A tsconfig.json, other files, and where `tsc` 5 writes `src/index.ts`. */
const cases: Readonly<
  Record<string, readonly [config: object, files: readonly string[], output: string]>
> = {
  'two folders': [
    { include: ['./src/**/*.ts', 'migrations/**/*.ts'] },
    ['migrations/one.ts'],
    'dist/src/index.js',
  ],
  'a folder without sources': [
    { include: ['src/**/*', 'migrations/**/*.ts'] },
    ['migrations/one.sql', 'migrations/types.d.ts'],
    'dist/index.js',
  ],
  'a missing folder': [{ include: ['src', 'migrations'] }, [], 'dist/index.js'],
  'a folder name': [
    { include: ['src', 'migrations'] },
    ['migrations/a/one.ts'],
    'dist/src/index.js',
  ],
  everything: [{}, ['vitest.config.ts'], 'dist/src/index.js'],
  'what is installed and compiled': [
    {},
    ['node_modules/a/index.ts', '.cache/a.ts', 'dist/a.ts', 'types/all.d.ts', 'app.js'],
    'dist/index.js',
  ],
  'folders that are left out': [
    { exclude: ['test', '**/*.spec.ts', 'vitest.*.ts'] },
    ['test/a/one.ts', 'e2e/one.spec.ts', 'vitest.config.ts'],
    'dist/index.js',
  ],
  'a pattern for one level': [
    { include: ['src/**/*', '*.ts'], exclude: [] },
    ['tools/one.ts'],
    'dist/index.js',
  ],
  'listed files': [{ files: ['src/index.ts', 'worker/main.ts'] }, [], 'dist/src/index.js'],
  'a listed file': [{ files: ['src/index.ts'] }, ['worker/main.ts'], 'dist/index.js'],
  'a composite project': [
    { include: ['src'], compilerOptions: { outDir: 'dist', composite: true } },
    [],
    'dist/src/index.js',
  ],
  'another folder above': [
    { include: ['src', '../shared/**/*'] },
    ['../shared/one.ts'],
    'dist/project/src/index.js',
  ],
  'a folder in the folder': [
    { include: ['src/index.ts', 'src/deep/**/*'] },
    ['src/deep/one.ts'],
    'dist/index.js',
  ],
  'inherited patterns': [{ extends: './config/base.json' }, ['tools/one.ts'], 'dist/src/index.js'],
}

for (const [name, [config, files, output]] of Object.entries(cases)) {
  test(`without \`rootDir\`, output follows the common folder of ${name}`, (t) => {
    const folder = join(temporaryFolder(t), 'project')
    writeAll(folder, {
      'src/index.ts': 'export {}\n',
      'tsconfig.json': { compilerOptions: { outDir: './dist' }, ...config },
      'config/base.json': {
        include: ['../src', '../tools'],
        compilerOptions: { outDir: '../dist' },
      },
      ...Object.fromEntries(files.map((file) => [file, ''])),
    })
    const options = new CompilerOptions(new SourceFiles())
    const found = options.outputOf(join(folder, 'src/index.ts'))
    assert.equal(found, join(folder, output))
  })
}

test('a file for builds leaves out tests, and output of another compiler is found where it is', (t) => {
  const folder = temporaryFolder(t)
  const compilerOptions = { outDir: 'dist' }
  writeAll(folder, {
    'built/src/index.ts': '',
    'built/test/index.test.ts': '',
    'built/tsconfig.json': { compilerOptions },
    'built/tsconfig.build.json': { extends: './tsconfig.json', exclude: ['test'] },
    'other/src/index.ts': '',
    'other/tool.config.ts': '',
    'other/dist/index.js': '',
    'other/tsconfig.json': { compilerOptions },
  })
  const options = new CompilerOptions(new SourceFiles())
  for (const project of ['built', 'other']) {
    const found = options.outputOf(join(folder, project, 'src/index.ts'))
    assert.equal(found, join(folder, project, 'dist/index.js'))
  }
})
