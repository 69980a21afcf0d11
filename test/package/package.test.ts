/** The published packages, as tools for packages see them, and the packages that are installed with them. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { createPackedFolder, pack } from '../support/packed.ts'
import { bytesIn } from '../support/folders.ts'
import { root } from '../support/root.ts'

const tarballs = pack({ after })

/** Only ES modules, for programs that build; Node can `require` them since 20.19. */
const modules = {
  runtime: ['./internal'],
  compiler: ['.', './cli', './vite', './virtual'],
  fastify: [],
} as const

/** Only for the runtime, whose file knows what it exports. */
const untyped = ['./development']

for (const name of ['runtime', 'compiler', 'fastify'] as const) {
  describe(`the package ${name}`, () => {
    const data = new Uint8Array(readFileSync(tarballs[name]))

    test('publint reports nothing', async () => {
      const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
      const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
      const problems = messages.map((message) => formatMessage(message, pkg, { color: false }))
      assert.deepEqual(problems, [])
    })

    test('every entry has its types, in each way to resolve it', async () => {
      const result = await checkPackage(createPackageFromTarballData(data))
      assert.ok(result.types)
      const problems = result.problems.filter(
        (problem) =>
          (problem.kind !== 'CJSResolvesToESM' ||
            !(modules[name] as readonly string[]).some((entry) => entry === problem.entrypoint)) &&
          !(name === 'compiler' && 'entrypoint' in problem && isNotForAll(problem)),
      )
      assert.deepEqual(problems, [])
    })
  })
}

/** The compiler is imported by programs that know `exports`. */
function isNotForAll(problem: { entrypoint: string; resolutionKind?: string }): boolean {
  return untyped.includes(problem.entrypoint) || problem.resolutionKind === 'node10'
}

interface Manifest {
  readonly version: string
  readonly scripts?: object
  readonly devDependencies?: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** All packages that are installed with a package, by name. */
function installedWith({ dependencies = {} }: Manifest, found = new Set<string>()): Set<string> {
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue
    found.add(name)
    installedWith(manifestIn(join(root, 'node_modules', name)), found)
  }
  return found
}

test('in production there is no compiler, and about 4 MB', (t) => {
  const app = createPackedFolder(t, { runtime: tarballs.runtime })
  const manifest = manifestIn(app.installed('framework'))
  // npm installs optional peers in production if they are there for development.
  assert.equal(manifest.peerDependencies, undefined)
  const names = [...installedWith(manifest)]
  const compilers = [
    'ajv',
    'rollup',
    'esbuild',
    'oxc-minify',
    'typescript',
    'ts-morph',
    '@framework/compiler',
  ]
  const found = names.filter((name) => compilers.includes(name))
  assert.deepEqual(found, [])
  const sizes = names.map((name) => bytesIn(join(root, 'node_modules', name)))
  const size = sizes.reduce((sum, one) => sum + one, bytesIn(app.installed('framework')))
  t.diagnostic(`${(size / 1e6).toFixed(2)} MB, ${names.length + 1} packages`)
  assert.ok(size < 4e6, `${size} bytes`)
})

test('the runtime is ASCII, without comments, and its lines are short enough for a stack', (t) => {
  const folder = createPackedFolder(t, { runtime: tarballs.runtime }).installed('framework/dist')
  for (const file of readdirSync(folder).filter((name) => /\.c?js$/.test(name))) {
    const text = readFileSync(join(folder, file), 'latin1')
    assert.doesNotMatch(text, /[^\0-\x7f]|^ *\/\*\*/m, file)
    assert.ok(text.length / text.split('\n').length < 150, file)
  }
})

test('installing it runs no script, and the manifests have no development dependencies', (t) => {
  const app = createPackedFolder(t, tarballs)
  for (const name of ['framework', '@framework/compiler']) {
    const { scripts, devDependencies } = manifestIn(app.installed(name))
    assert.deepEqual([scripts, devDependencies], [undefined, undefined], name)
  }
})

test('the compiler is for the same version alone, and the command says what to install', (t) => {
  const { version } = manifestIn(join(root, 'runtime'))
  const command = `npm install --save-dev @framework/compiler@${version}`
  const production = createPackedFolder(t, { runtime: tarballs.runtime })
  production.write('app.js', '')
  const without = production.framework('build', 'app.js')
  assert.equal(without.status, 1)
  assert.ok(without.stderr.includes(command), without.stderr)
  const app = createPackedFolder(t, tarballs)
  const compiler = manifestIn(app.installed('@framework/compiler'))
  assert.equal(compiler.version, version)
  assert.equal(compiler.peerDependencies?.['framework'], version)
  assert.equal(app.framework('--version').stdout, `${version}\n`)
  const other = { ...compiler, version: '9.9.9' }
  app.write('node_modules/@framework/compiler/package.json', JSON.stringify(other))
  const wrong = app.framework('build', 'app.js')
  assert.equal(wrong.status, 1)
  assert.ok(wrong.stderr.includes(`not 9.9.9: ${command}`), wrong.stderr)
})

test('every package that the compiler imports is one that it depends on', () => {
  const { dependencies = {} } = manifestIn(join(root, 'compiler'))
  const imported = ['compiler', 'cli'].flatMap((folder) =>
    readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.c?js$/.test(file))
      .flatMap((file) => importsIn(readFileSync(join(root, 'dist', folder, file), 'utf8'))),
  )
  // Modules of deployments import the last two, which they find from the runtime's folder.
  const known = [...Object.keys(dependencies), 'framework', 'pino', 'set-cookie-parser']
  assert.ok(imported.includes('ajv'))
  const unknown = imported.filter((name) => !known.includes(name))
  assert.deepEqual(unknown, [])
})

/** Statements at the beginning of a line, and calls of `require`. */
function importsIn(text: string): string[] {
  const pattern = /^(?:import|export)\s[^'";]*?from '([^'.][^']*)'|\brequire\('([^'.\s][^']*)'\)/gm
  return (
    [...text.matchAll(pattern)]
      .map(([, from, required]) => (from ?? required) as string)
      // Not imports in examples and generated modules.
      .filter((specifier) => /^@?[a-z][\w-]/.test(specifier) && !specifier.startsWith('node:'))
      .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
  )
}

interface Locked {
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const file = fileURLToPath(new URL('../../../package-lock.json', import.meta.url))
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }

/** Returns true if `folder`, or a folder above it, has the package in its `node_modules`. */
function isFound(folder: string, name: string): boolean {
  if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
  if (folder === '') return false
  return isFound(folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0)), name)
}

test('the lock file holds every dependency, those of other platforms too', () => {
  const missing = Object.entries(packages).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !isFound(folder, name))
      .map((name) => `${folder} needs ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('the lock file names no registry', () => {
  // The workspaces are links to their folders.
  const packed = Object.values(packages).filter(({ link }) => link !== true)
  const resolved = packed.flatMap(({ resolved }) => resolved ?? [])
  assert.deepEqual(resolved, [])
})
