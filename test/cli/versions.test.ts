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
    assert.ok(message.includes(`Install ${name}@${manifest.dependencies[name]}`), message)
    assert.equal(at.file, `node_modules/${name}/package.json`)
    assert.ok(!readdirSync(folder).includes('.framework'))
  })
}

/** A copy of this package, as installed beside another version of one of its dependencies. */
function installWithOther(folder: string, name: string): void {
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
    if (entry !== 'package.json') symlinkSync(join(from, name, entry), join(to, name, entry))
  }
  const own = JSON.parse(readFileSync(join(from, name, 'package.json'), 'utf8')) as object
  writeFileSync(
    join(to, name, 'package.json'),
    JSON.stringify({ ...own, version: '99.0.0' }, null, 2),
  )
}
