/** The build refuses to work with other versions of the packages whose output it reads. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runsAll } from '../support/runs.ts'
import type { Diagnostic, Reuse } from '../../compiler/index.ts'
import { installedPackages, wrongVersions } from '../../compiler/packages/compiler-versions.ts'
import { temporaryFolder } from '../support/folders.ts'
import type { Printed } from '../support/workshop.ts'
import { root } from '../support/root.ts'

const manifest = JSON.parse(readFileSync(join(root, 'compiler/package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

test('every dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
  }
})

const names = ['ajv', 'ajv-formats', 'fast-json-stringify', 'oxc-minify', 'esbuild']

for (const name of runsAll ? names : names.slice(0, 1)) {
  test(`a build with another version of ${name} reports it and writes nothing`, (t) => {
    const folder = temporaryFolder(t)
    installWithOther(folder, name)
    writeFileSync(join(folder, 'app.js'), "import framework from 'framework'\nframework()\n")
    const { ok, diagnostics } = buildIn(folder)
    assert.equal(ok, false)
    assert.equal(diagnostics.length, 1)
    const [{ code, message, at }] = diagnostics as [Diagnostic]
    assert.equal(code, 'AOT_COMPILER_VERSION')
    assert.ok(message.includes(`"${name}" is installed in version 99.0.0`), message)
    assert.ok(message.includes(`Install ${name}@${manifest.dependencies[name]} there`), message)
    assert.equal(at.file, `node_modules/${name}/package.json`)
    assert.ok(!readdirSync(folder).includes('.framework'))
  })
}

test('a version of fast-uri that audits ask for, and all packages have to take, takes nothing from a build', (t) => {
  const folder = temporaryFolder(t)
  installWithOther(folder, 'fast-uri')
  writeFileSync(join(folder, 'app.js'), APPLICATION)
  const { ok, diagnostics } = buildIn(folder)
  assert.ok(ok, JSON.stringify(diagnostics))
})

test('the installed packages are those that the compiler is made for', () => {
  assert.deepEqual(wrongVersions(), [])
})

/** Installs packages that decide about formats and references of unions, merged schemas, and copies. */
const APPLICATION = `import framework from 'framework'
const app = framework()
app.addSchema({ $id: 'point', type: 'object', properties: { x: { type: 'number' }, at: { type: 'string', format: 'time' } } })
const union = { anyOf: [{ $ref: 'point#' }, { type: 'string', format: 'ipv4' }, { type: 'string', format: 'date-time' }] }
const merged = { allOf: [{ $ref: 'point#' }, { type: 'object', required: ['y'], properties: { y: { type: 'number' } } }] }
const response = { 200: { type: 'object', properties: { union, merged } } }
app.post('/', { schema: { body: union, response } }, async () => ({}))
export default app
`

test('other versions of packages that fast-json-stringify uses build the same, and count as another compiler', (t) => {
  const folder = temporaryFolder(t)
  const plain = join(folder, 'plain')
  const other = join(folder, 'other')
  for (const [place, version] of [
    [plain, undefined],
    [other, '3.99.0'],
  ] as const) {
    installWithOther(place, 'fast-json-stringify', 'ajv-formats', version)
    writeFileSync(join(place, 'app.js'), APPLICATION)
  }
  assert.equal(isUnchanged(plain), false)
  assert.equal(isUnchanged(plain), true)
  assert.equal(isUnchanged(other), false)
  assert.deepEqual(filesOf(other), filesOf(plain))
  const inner = join(plain, 'node_modules/fast-json-stringify/node_modules/ajv-formats')
  copyPackageJson(inner, inner, '3.99.0')
  assert.equal(isUnchanged(plain), false)
})

test("all packages that the compilers use are part of the compiler's identity", () => {
  const used = installedPackages().filter(({ dependent }) => dependent === 'fast-json-stringify')
  const { dependencies } = JSON.parse(
    readFileSync(join(root, 'node_modules/fast-json-stringify/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> }
  const names = new Set(installedPackages().map(({ name }) => name))
  assert.ok(used.length > 0)
  for (const name of Object.keys(dependencies)) assert.ok(names.has(name), name)
})

type Build = Printed<{ readonly summary: Reuse }>

function buildIn(folder: string): Build {
  const command = join(folder, 'node_modules/@framework/compiler/dist/cli.js')
  const args = [command, 'build', join(folder, 'app.js'), '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout) as Build
}

function isUnchanged(folder: string): boolean {
  const { ok, diagnostics, result } = buildIn(folder)
  assert.ok(ok, JSON.stringify(diagnostics))
  return result.summary.unchanged
}

function filesOf(folder: string): Record<string, string> {
  const out = join(folder, '.framework')
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
    .map((file) => [file, join(out, file)] as const)
    .filter(([, path]) => statSync(path).isFile())
  return Object.fromEntries(files.map(([file, path]) => [file, readFileSync(path, 'utf8')]))
}

/**
 * A copy of this package, as installed beside another version of one of its dependencies.
 *
 * @param within the dependency of that one that is meant
 */
function installWithOther(
  folder: string,
  name: string,
  within?: string,
  version: string | undefined = within === undefined ? '99.0.0' : undefined,
): void {
  mkdirSync(folder, { recursive: true })
  const from = join(root, 'node_modules')
  const to = join(folder, 'node_modules')
  linkAll(from, to, name, '@framework', 'framework')
  for (const [part, own] of [
    ['runtime', 'framework'],
    ['compiler', '@framework/compiler'],
  ] as const) {
    for (const file of ['package.json', 'dist']) {
      cpSync(join(root, part, file), join(to, own, file), { recursive: true })
    }
  }
  if (within === undefined) {
    linkAll(join(from, name), join(to, name), 'package.json')
    copyPackageJson(join(from, name), join(to, name), version)
    return
  }
  // Not as a link: it would find the packages of its real folder.
  cpSync(join(from, name), join(to, name), { recursive: true })
  const inner = join(to, name, 'node_modules', within)
  copyPackageJson(inner, inner, version)
}

function linkAll(from: string, to: string, ...except: string[]): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from)) {
    // Names that begin with a dot aren't packages: the cache is one of them.
    if (!except.includes(entry) && !entry.startsWith('.'))
      symlinkSync(join(from, entry), join(to, entry))
  }
}

function copyPackageJson(from: string, to: string, version: string | undefined): void {
  const own = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as object
  const copy = version === undefined ? own : { ...own, version }
  writeFileSync(join(to, 'package.json'), JSON.stringify(copy, null, 2))
}
