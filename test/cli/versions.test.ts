/** The build refuses to work with other versions of the packages whose output it reads. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { USED_WITHIN, wrongVersions } from '../../compiler/installed.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  files: string[]
}

test('every dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
  }
})

for (const name of ['ajv', 'ajv-formats', 'fast-json-stringify', 'fast-uri', 'esbuild']) {
  test(`a build with another version of ${name} reports it and writes nothing`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'framework-versions-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    installWithOther(folder, name)
    writeFileSync(join(folder, 'app.js'), "import framework from 'framework'\nframework()\n")
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(folder, 'dist/cli/main.js'), 'build', join(folder, 'app.js'), '--json'],
      { cwd: folder, encoding: 'utf8' },
    )
    assert.equal(status, 1)
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; message: string; at: { file: string; line: number } }[]
    }
    assert.equal(diagnostics.length, 1)
    const [{ code, message, at }] = diagnostics as [(typeof diagnostics)[0]]
    assert.equal(code, 'AOT_COMPILER_VERSION')
    assert.ok(message.includes(`"${name}" is installed in version 99.0.0`), message)
    assert.ok(message.includes(`Install ${name}@${manifest.dependencies[name]} there`), message)
    assert.equal(at.file, `node_modules/${name}/package.json`)
    assert.ok(!readdirSync(folder).includes('.framework'))
  })
}

test('what fast-json-stringify uses is pinned, to what is installed', () => {
  const read = (path: string): { version: string; dependencies: Record<string, string> } =>
    JSON.parse(readFileSync(join(root, 'node_modules', path, 'package.json'), 'utf8')) as never
  const { dependencies } = read('fast-json-stringify')
  assert.deepEqual(
    Object.keys(USED_WITHIN['fast-json-stringify'] ?? {}).sort(),
    Object.keys(dependencies).sort(),
  )
  assert.deepEqual(wrongVersions(), [])
})

test('another version within fast-json-stringify ends builds and development', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-versions-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  installWithOther(folder, 'fast-json-stringify', 'ajv-formats')
  writeFileSync(join(folder, 'app.js'), "import framework from 'framework'\nframework()\n")
  const expected = /"ajv-formats" within "fast-json-stringify" is installed in version 99\.0\.0/
  const build = spawnSync(
    process.execPath,
    [join(folder, 'dist/cli/main.js'), 'build', join(folder, 'app.js')],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(build.status, 1)
  assert.match(build.stdout + build.stderr, expected)
  assert.match(build.stdout + build.stderr, /Install ajv-formats@3\.0\.1 there/)
  const development = spawnSync(
    process.execPath,
    ['--import', 'framework/development', join(folder, 'app.js')],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.notEqual(development.status, 0)
  assert.match(development.stderr, expected)
})

/**
 * A copy of this package, as installed beside another version of one of its dependencies.
 *
 * @param within the dependency of that one that has another version instead
 */
function installWithOther(folder: string, name: string, within?: string): void {
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  for (const file of manifest.files) {
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  const from = join(root, 'node_modules')
  const to = join(folder, 'node_modules')
  mkdirSync(join(to, name), { recursive: true })
  for (const entry of readdirSync(from)) {
    if (entry !== name) symlinkSync(join(from, entry), join(to, entry))
  }
  for (const entry of readdirSync(join(from, name))) {
    if (entry === 'package.json' || (within && entry === 'node_modules')) continue
    symlinkSync(join(from, name, entry), join(to, name, entry))
  }
  copyPackageJson(join(from, name), join(to, name), within === undefined ? '99.0.0' : undefined)
  if (within === undefined) return
  const inner = join('node_modules', within)
  mkdirSync(join(to, name, inner), { recursive: true })
  copyPackageJson(join(from, name, inner), join(to, name, inner), '99.0.0')
}

function copyPackageJson(from: string, to: string, version: string | undefined): void {
  const own = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as object
  const copy = version === undefined ? own : { ...own, version }
  writeFileSync(join(to, 'package.json'), JSON.stringify(copy, null, 2))
}
