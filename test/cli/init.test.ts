/** `framework init`: real projects, before and after. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Plan } from '../../compiler/init/index.ts'
import { carryOut, planInit } from '../../compiler/init/index.ts'
import { VERSION } from '../../runtime/artifact/version.ts'
import { startCommand } from '../support/command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const command = join(root, 'dist/cli/main.js')

interface Project {
  readonly folder: string
  read(file: string): string
  /** All files and their texts, without packages. */
  all(): Readonly<Record<string, string>>
  init(...args: string[]): { status: number | null; stdout: string; stderr: string }
}

/** A folder with these files. A text of `LINK:` leads to a folder of this repository. */
function project(t: TestContext, files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), 'framework-init-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.git'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    if (text.startsWith('LINK:')) symlinkSync(join(root, text.slice(5)), join(folder, file))
    else writeFileSync(join(folder, file), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    read,
    all: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => !file.includes('node_modules') && statSync(join(folder, file)).isFile())
          .map((file) => [file, read(file)]),
      ),
    init: (...args) =>
      spawnSync(process.execPath, [command, 'init', ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
        input: '',
      }),
  }
}

async function planFor(folder: string, entry?: string): Promise<Plan> {
  const plan = await planInit({ folder, entry, line: undefined })
  assert.ok('files' in plan, JSON.stringify(plan))
  return plan
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const installed = (version: string): string => json({ name: 'fastify', version })

const locks = {
  npm: ['package-lock.json', '{}'],
  pnpm: ['pnpm-lock.yaml', ''],
  yarn: ['yarn.lock', ''],
} as const

for (const manager of ['npm', 'pnpm', 'yarn'] as const) {
  for (const modules of ['module', 'commonjs'] as const) {
    for (const language of ['ts', 'js'] as const) {
      for (const version of ['4.29.1', '5.12.8']) {
        test(`${manager}, ${modules}, ${language}, Fastify ${version}`, async (t) => {
          const [lock, text] = locks[manager]
          const isTyped = language === 'ts'
          const program = isTyped ? 'dist/server.js' : 'src/server.js'
          const shop = project(t, {
            [lock]: text,
            'package.json': json({
              name: 'shop',
              type: modules,
              scripts: {
                lint: 'eslint .',
                ...(isTyped && { build: 'tsc' }),
                start: `NODE_ENV=production node --enable-source-maps ${program}`,
                dev: isTyped ? 'tsx watch src/server.ts' : 'node --watch src/server.js',
              },
              dependencies: { '@fastify/cors': '1', fastify: `^${version}`, zod: '3' },
              devDependencies: { ...(isTyped && { tsx: '4', typescript: '5' }), vitest: '3' },
            }),
            [`src/server.${language}`]: "import fastify from 'fastify'\nfastify().listen()\n",
            ...(isTyped && {
              'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "rootDir": "src" } }',
            }),
            'node_modules/fastify/package.json': installed(version),
          })
          const plan = await planFor(shop.folder)
          const { found } = plan
          assert.equal(found.packageManager, manager)
          assert.equal(found.language, isTyped ? 'TypeScript' : 'JavaScript')
          assert.equal(found.modules, modules === 'module' ? 'ES modules' : 'CommonJS')
          assert.deepEqual(found.testRunners, ['vitest'])
          assert.equal(found.entry, `src/server.${language}`)
          assert.equal(carryOut(plan), undefined)
          const isOurs = version.startsWith('4')
          const after = JSON.parse(shop.read('package.json')) as {
            scripts: Record<string, string>
            dependencies: object
            devDependencies: object
          }
          const target = isOurs ? '' : ' --target fastify@5'
          const build = `framework build src/server.${language}${target}`
          const head = isOurs ? 'register.js' : 'fastify.mjs'
          const develop = isOurs ? ' --import framework/development' : ''
          assert.deepEqual(after.scripts, {
            lint: 'eslint .',
            build: isTyped ? `tsc && ${build}` : build,
            start: `NODE_ENV=production node --import ./.framework/${head} --enable-source-maps ${program}`,
            dev: isTyped
              ? `tsx watch${develop} src/server.ts`
              : `node${develop} --watch src/server.js`,
          })
          const own = { framework: VERSION }
          assert.deepEqual(after.dependencies, {
            '@fastify/cors': '1',
            fastify: isOurs ? `npm:framework@${VERSION}` : `^${version}`,
            ...(isOurs && own),
            zod: '3',
          })
          assert.deepEqual(after.devDependencies, {
            '@framework/compiler': VERSION,
            ...(!isOurs && own),
            ...(isTyped && { tsx: '4', typescript: '5' }),
            vitest: '3',
          })
          assert.deepEqual(Object.keys(after.dependencies), Object.keys(after.dependencies).sort())
          assert.equal(shop.read('.gitignore'), '.framework/\n')
          // Again: nothing is left to do.
          const again = await planFor(shop.folder)
          assert.deepEqual(again.files, [])
          assert.equal(again.line, plan.line)
        })
      }
    }
  }
}

test('indentation, order, ends of lines, comments and the mark in front stay', async (t) => {
  const shop = project(t, {
    'package.json':
      '\uFEFF{\r\n\t"private": true,\r\n\t"scripts": {\r\n\t\t"z": "1",\r\n\t\t"a": "2"\r\n\t},\r\n\t"dependencies": {\r\n\t\t"@fastify/jwt": "8",\r\n\t\t"framework": "file:../framework.tgz"\r\n\t},\r\n\t"type": "module"\r\n}',
    'tsconfig.json':
      '// ours\n{\n    "compilerOptions": {\n        "types": ["node"], // not more\n    },\n}\n',
    '.gitignore': 'node_modules\r\ndist',
    'app.ts': "import framework from 'framework'\nframework().listen()\n",
  })
  assert.equal(carryOut(await planFor(shop.folder)), undefined)
  assert.equal(
    shop.read('package.json'),
    `\uFEFF{\r\n\t"private": true,\r\n\t"scripts": {\r\n\t\t"z": "1",\r\n\t\t"a": "2",\r\n\t\t"build": "framework build app.ts",\r\n\t\t"start": "node --import ./.framework/register.js app.ts",\r\n\t\t"dev": "framework dev app.ts"\r\n\t},\r\n\t"dependencies": {\r\n\t\t"@fastify/jwt": "8",\r\n\t\t"framework": "file:../framework.tgz"\r\n\t},\r\n\t"type": "module",\r\n\t"devDependencies": {\r\n\t\t"@framework/compiler": "${VERSION}"\r\n\t}\r\n}`,
  )
  const config = shop.read('tsconfig.json')
  assert.match(config, /^\/\/ ours\n\{\n {4}"compilerOptions"/)
  assert.match(config, /"node",\s+"framework\/fastify"\s*\], \/\/ not more\n/)
  assert.equal(shop.read('.gitignore'), 'node_modules\r\ndist\r\n.framework/\r\n')
  assert.deepEqual((await planFor(shop.folder)).files, [])
})

test('what comes from a file stands in for Fastify from that file', async (t) => {
  const file = 'file:../framework-0.1.0.tgz'
  const shop = project(t, {
    'package.json': json({ dependencies: { fastify: '4.21.0', framework: file } }),
    'app.js': "require('fastify')().listen()\n",
  })
  carryOut(await planFor(shop.folder))
  const { dependencies } = JSON.parse(shop.read('package.json')) as { dependencies: object }
  assert.deepEqual(dependencies, { fastify: file, framework: file })
  assert.deepEqual((await planFor(shop.folder)).files, [])
})

test('what starts the application decides how Node is told', async (t) => {
  const scripts: Readonly<Record<string, string | undefined>> = {
    'node app.js': 'node --import ./.framework/register.js app.js',
    'cross-env PORT=1 node app.js':
      'cross-env PORT=1 node --import ./.framework/register.js app.js',
    'npm run clean && node app.js':
      'npm run clean && node --import ./.framework/register.js app.js',
    'fastify start -l info app.js':
      "NODE_OPTIONS='--import ./.framework/register.js' fastify start -l info app.js",
    'node --import ./.framework/register.js app.js':
      'node --import ./.framework/register.js app.js',
    'docker compose up': undefined,
    "NODE_OPTIONS='-r x' nodemon app.js": undefined,
  }
  for (const [before, after] of Object.entries(scripts)) {
    const shop = project(t, {
      'package.json': json({ scripts: { start: before }, dependencies: { fastify: '4.21.0' } }),
      'app.js': "require('fastify')()\n",
      '.framework/register.js': '',
    })
    const plan = await planFor(shop.folder)
    carryOut(plan)
    const { start, dev } = (
      JSON.parse(shop.read('package.json')) as { scripts: Record<string, string> }
    ).scripts
    assert.equal(start, after ?? before)
    assert.equal(dev, 'framework dev app.js')
    assert.equal(plan.notes.length, after === undefined ? 1 : 0, plan.notes.join())
  }
})

test('packages that bring a Fastify of their own get this one, as the package manager has it', async (t) => {
  const overrides = {
    npm: { overrides: { fastify: '$fastify' } },
    yarn: { resolutions: { fastify: `npm:framework@${VERSION}` } },
    pnpm: {},
  }
  for (const manager of ['npm', 'yarn', 'pnpm'] as const) {
    const dependencies = { fastify: '4.21.0', 'fastify-cli': '6' }
    const shop = project(t, {
      'package.json': json({ packageManager: `${manager}@9.0.0`, main: 'app.js', dependencies }),
      'app.js': 'module.exports = async (fastify) => {}\n',
    })
    const plan = await planFor(shop.folder)
    carryOut(plan)
    const after = JSON.parse(shop.read('package.json')) as Record<string, unknown>
    const { overrides: one, resolutions: other } = after
    assert.deepEqual(
      JSON.parse(JSON.stringify({ overrides: one, resolutions: other })),
      overrides[manager],
    )
    assert.equal(plan.notes.join().includes('pnpm-workspace.yaml'), manager === 'pnpm')
    // It exports a plugin: who starts it is not known.
    assert.match(plan.notes.join(), /Nothing here starts the application/)
  }
})

test('the root of a workspace names its applications, and its packages are prepared by themselves', async (t) => {
  const api = json({ name: 'api', main: 'app.js', dependencies: { fastify: '^5.0.0' } })
  const files = {
    'packages/api/package.json': api,
    'packages/api/app.js': "import fastify from 'fastify'\n",
    'packages/tools/package.json': '{}',
    'other/package.json': api,
    'package-lock.json': '{}',
  }
  const roots = [
    { 'package.json': json({ workspaces: ['packages/*'] }) },
    { 'package.json': json({ workspaces: { packages: ['./packages/**', '!packages/tools'] } }) },
    { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
  ]
  for (const own of roots) {
    const shop = project(t, { ...files, ...own })
    const before = shop.all()
    const { status, stderr } = shop.init()
    assert.equal(status, 1)
    assert.match(stderr, /AOT_INIT_WORKSPACE_ROOT\n.* one of packages\/api, or pass its entry\./)
    assert.deepEqual(shop.all(), before)
    const named = shop.init('packages/api/app.js')
    assert.equal(named.status, 0, named.stderr)
    const changed = Object.entries(shop.all()).filter(([file, text]) => before[file] !== text)
    assert.deepEqual(changed.map(([file]) => file).sort(), [
      'packages/api/.gitignore',
      'packages/api/package.json',
    ])
  }
})

test('--dry-run prints a diff, and changes nothing; on a pipe nothing is asked', (t) => {
  const shop = project(t, {
    'package.json': json({
      scripts: { start: 'node app.js' },
      dependencies: { fastify: '^5.0.0' },
    }),
    'app.js': "require('fastify')().listen()\n",
  })
  const before = shop.all()
  const dry = shop.init('--dry-run')
  assert.equal(dry.status, 0, dry.stderr)
  assert.match(
    dry.stdout,
    /^Found {2}Fastify \^5\.0\.0, JavaScript, CommonJS, npm\nEntry {2}app\.js/,
  )
  assert.match(dry.stdout, /^--- a\/package\.json\n\+\+\+ b\/package\.json\n@@ /m)
  assert.match(dry.stdout, /^- {4}"start": "node app\.js"$/m)
  assert.match(
    dry.stdout,
    /^\+ {4}"start": "node --import \.\/\.framework\/fastify\.mjs app\.js"$/m,
  )
  assert.match(dry.stdout, /^--- \/dev\/null\n\+\+\+ b\/\.gitignore\n@@ .*\n\+\.framework\/$/m)
  assert.deepEqual(shop.all(), before)
  const { result } = JSON.parse(shop.init('-n', '--json').stdout) as {
    result: { target: string; written: boolean; files: { file: string; diff: string }[] }
  }
  assert.deepEqual([result.target, result.written], ['fastify@5', false])
  assert.deepEqual(
    result.files.map(({ file }) => file),
    ['package.json', '.gitignore'],
  )
  const done = shop.init()
  assert.equal(done.status, 0, done.stderr)
  assert.match(done.stdout, /^Changed package\.json, \.gitignore\. Next:\n {2}npm install\n/m)
  const after = shop.all()
  assert.match(shop.init().stdout, /^There is nothing to change\.$/m)
  assert.deepEqual(shop.all(), after)
})

test('what is broken is told with its place, and nothing is changed', (t) => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{}, /AOT_INIT_PACKAGE_JSON\n.*there is none/],
    [{ 'package.json': '{\n  "name": x\n}' }, /^package\.json:2:11 {2}AOT_INIT_PACKAGE_JSON\n/],
    [{ 'package.json': '[]' }, /AOT_INIT_PACKAGE_JSON\n.*no object/],
    [
      { 'package.json': '{\n "scripts": []\n}' },
      /^package\.json:2:2 {2}AOT_INIT_PACKAGE_JSON\n.*`scripts`/,
    ],
    [{ 'package.json': '{ "dependencies": { "fastify": "4" } }' }, /AOT_INIT_ENTRY/],
    [
      { 'package.json': '{ "dependencies": { "fastify": "^3.2.0" } }', 'app.js': 'fastify' },
      /AOT_INIT_FASTIFY\n.*\^3\.2\.0/,
    ],
  ]
  for (const [files, message] of cases) {
    const shop = project(t, files)
    const { status, stderr } = shop.init()
    assert.match(stderr, message)
    assert.equal(status, 1)
    assert.deepEqual(shop.all(), files)
  }
})

test('what cannot be written leaves everything as it was', async (t) => {
  const files = {
    'package.json': json({ dependencies: { fastify: '4.21.0' } }),
    'app.js': "require('fastify')().listen()\n",
    '.gitignore': 'node_modules\n',
  }
  const shop = project(t, files)
  const plan = await planFor(shop.folder)
  // Somebody is faster.
  writeFileSync(join(shop.folder, '.gitignore'), 'other\n')
  const problem = carryOut(plan)
  assert.deepEqual([problem?.code, problem?.at.file], ['AOT_INIT_NOT_WRITABLE', '.gitignore'])
  assert.deepEqual(shop.all(), { ...files, '.gitignore': 'other\n' })
  // The place of the last file is taken while the first one is in its place already.
  const [first] = plan.files
  const broken = {
    ...plan,
    files: [first, { file: 'app.js/x', before: undefined, after: '', changes: [] }],
  }
  assert.equal(carryOut(broken as Plan)?.code, 'AOT_INIT_NOT_WRITABLE')
  assert.deepEqual(shop.all(), { ...files, '.gitignore': 'other\n' })
  chmodSync(join(shop.folder, 'package.json'), 0o600)
  assert.equal(carryOut(await planFor(shop.folder)), undefined)
  assert.equal(statSync(join(shop.folder, 'package.json')).mode & 0o777, 0o600)
})

test('on a terminal it asks once; only yes changes anything', async (t) => {
  const files = {
    'package.json': json({ dependencies: { fastify: '4.21.0' } }),
    'app.js': "require('fastify')().listen()\n",
  }
  const shop = project(t, files)
  const run = (...args: string[]) =>
    startCommand(t, { folder: shop.folder, args: ['init', ...args], terminal: true })
  for (const answer of ['n\r', '\u0003', '\u0004']) {
    const asked = run()
    await asked.until(/Change these files\? \[Y\/n\] /)
    asked.press(answer)
    await asked.until(/Nothing was changed\./)
    assert.equal(await asked.ended(), 1)
    assert.deepEqual(shop.all(), files)
  }
  const agreed = run()
  await agreed.until(/\[Y\/n\] /)
  agreed.press('\r')
  await agreed.until(/Changed package\.json, \.gitignore\./)
  assert.equal(await agreed.ended(), 0)
  assert.ok(existsSync(join(shop.folder, '.gitignore')))
  rmSync(join(shop.folder, '.gitignore'))
  const unasked = run('--yes')
  assert.equal(await unasked.ended(), 0)
  assert.doesNotMatch(unasked.output, /\[Y\/n\]/)
})

for (const [name, fastify, output] of [
  ['Fastify 5', 'LINK:node_modules/fastify-5', '5.12.8 400'],
  ['what stands in for Fastify 4', 'LINK:.', '4.21.0 400'],
] as const) {
  test(`the scripts that it writes build and start an application on ${name}`, (t) => {
    const isOurs = fastify === 'LINK:.'
    const shop = project(t, {
      'package.json': json({
        type: 'module',
        scripts: { start: 'node app.js' },
        dependencies: { fastify: isOurs ? '4.21.0' : '5.12.8' },
      }),
      'app.js': `import fastify from 'fastify'
const app = fastify()
app.post('/', { schema: { body: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } } }, async () => '')
const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: {} })
console.log(app.version, statusCode)
`,
      'node_modules/framework': 'LINK:.',
      'node_modules/@framework/compiler': 'LINK:dist',
      'node_modules/.bin/framework': `#!/bin/sh\nexec node '${command}' "$@"\n`,
      'node_modules/fastify': fastify,
    })
    const { status, stderr } = shop.init()
    assert.equal(status, 0, stderr)
    const npm = (...args: string[]) =>
      spawnSync('npm', ['run', '--silent', ...args], { cwd: shop.folder, encoding: 'utf8' })
    const built = npm('build')
    assert.equal(built.status, 0, built.stderr)
    const started = npm('start')
    assert.equal(started.stdout, `${output}\n`, started.stderr)
  })
}
