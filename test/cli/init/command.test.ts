/** `framework init`: what it prints and asks, what it refuses, and what its scripts do. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Plan, applyChanges } from '../../../cli/init/index.ts'
import { rewrite, writeWhole } from '../../../compiler/util/atomic-write.ts'
import { VERSION } from '../../../runtime/artifact/version.ts'
import { commandFile } from '../../support/command-file.ts'
import { runCommand } from '../../support/command-runs.ts'
import { startCommand } from '../../support/command.ts'
import { root } from '../../support/root.ts'
import { application, type Files, json, project } from './project.ts'

/** On other releases of Node, an alias replaces Fastify. */
const hasPreload = 'registerHooks' in module

test('the root of a workspace lists its applications, and each package is prepared separately', async (t) => {
  const api = json({ name: 'api', main: 'app.js', dependencies: { fastify: '^5.0.0' } })
  const files = {
    'packages/api/package.json': api,
    'packages/api/app.js': "import fastify from 'fastify'\n",
    'packages/tools/package.json': '{}',
    'packages/worker/package.json': {
      scripts: { dev: 'tsx watch src/main.ts' },
      devDependencies: { fastify: '^5.0.0' },
    },
    'packages/plugins/package.json': {
      scripts: { dev: 'tsc --watch' },
      peerDependencies: { fastify: '^5.0.0' },
      devDependencies: { fastify: '5.12.8' },
    },
    'other/package.json': api,
    'package-lock.json': '{}',
  }
  const roots = [
    { 'package.json': { workspaces: ['packages/*'] } },
    { 'package.json': { workspaces: { packages: ['./packages/**', '!packages/tools'] } } },
    { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
  ]
  for (const own of roots) {
    const shop = project(t, { ...files, ...own })
    const before = shop.all()
    const { status, stderr } = shop.init()
    assert.equal(status, 1)
    const listed = /.* one of packages\/api, packages\/worker, or pass its entry\./
    assert.match(stderr, new RegExp(`AOT_INIT_WORKSPACE_ROOT\n${listed.source}`))
    for (const command of [['build'], ['build', '.'], ['dev'], ['check'], ['routes']])
      assert.match(runCommand(shop.folder, command).stderr, listed)
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

test("--dry-run prints a diff, and changes nothing; on a pipe it doesn't ask", (t) => {
  const shop = application(t, {
    scripts: { start: 'node app.js' },
    dependencies: { fastify: '^5.0.0' },
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
  const names = result.files.map(({ file }) => file)
  assert.deepEqual(names, ['package.json', '.gitignore'])
  const unasked = runCommand(shop.folder, ['init'])
  assert.equal(unasked.status, 1)
  assert.match(
    unasked.stderr,
    /^Nothing was changed, .* `--yes` to stay on Fastify 5, or `--replace`\.$/m,
  )
  assert.match(unasked.stdout, /^Two ways\n {2}stay {5}Fastify 5 .*\n {2}replace {2}framework\/5 /m)
  assert.deepEqual(shop.all(), before)
  const done = shop.init()
  assert.equal(done.status, 0, done.stderr)
  assert.match(done.stdout, /^Changed package\.json, \.gitignore\. Next:\n {2}npm install\n/m)
  const after = shop.all()
  assert.match(shop.init().stdout, /^There is nothing to change\.$/m)
  assert.deepEqual(shop.all(), after)
})

test('broken projects are reported with the place, and nothing is changed', (t) => {
  const app = (fastify: string): Files => ({
    'package.json': { dependencies: { fastify } },
    'app.js': "require('fastify')().listen()\n",
  })
  const cases: readonly (readonly [Files, RegExp, target?: string])[] = [
    [{}, /AOT_INIT_PACKAGE_JSON\n.*does not exist/],
    [{ 'package.json': '{\n  "name": x\n}' }, /^package\.json:2:11 {2}AOT_INIT_PACKAGE_JSON\n/],
    [{ 'package.json': '[]' }, /AOT_INIT_PACKAGE_JSON\n.*must contain an object/],
    [
      { 'package.json': '{\n "scripts": []\n}' },
      /^package\.json:2:2 {2}AOT_INIT_PACKAGE_JSON\n.*`scripts`/,
    ],
    [{ 'package.json': '{ "dependencies": { "fastify": "4" } }' }, /AOT_INIT_ENTRY/],
    [app('^3.2.0'), /AOT_INIT_FASTIFY\n.*\^3\.2\.0/],
    [
      app('^4.29.1'),
      /AOT_INIT_TARGET\n`--server fastify@5` .* depends on Fastify \^4\.29\.1\./,
      'fastify@5',
    ],
    [
      { ...app('1'), 'package.json': {} },
      /AOT_INIT_TARGET\n.* depends on no Fastify\./,
      'fastify@5',
    ],
    [
      app(`npm:framework@${VERSION}`),
      /AOT_INIT_TARGET\n.* has npm:framework@.* in place of Fastify\./,
      'fastify@5',
    ],
    [
      app('5.1.0'),
      /AOT_INIT_TARGET\n.* for Fastify 4, and .* depends on Fastify 5\.1\.0\./,
      'fastify@4',
    ],
  ]
  for (const [files, message, target] of cases) {
    const shop = project(t, files)
    const before = shop.all()
    const { status, stderr } = shop.init(...(target === undefined ? [] : ['--target', target]))
    assert.match(stderr, message)
    assert.equal(status, 1)
    assert.deepEqual(shop.all(), before)
  }
})

test('a file that cannot be written leaves all files as they were', async (t) => {
  const manifest = { dependencies: { fastify: '4.21.0' } }
  const shop = application(t, manifest, { '.gitignore': 'node_modules\n' })
  const files = shop.all()
  const plan = await shop.plan()
  // Somebody is faster.
  writeFileSync(join(shop.folder, '.gitignore'), 'other\n')
  const problem = applyChanges(plan)
  assert.deepEqual([problem?.code, problem?.at.file], ['AOT_INIT_NOT_WRITABLE', '.gitignore'])
  assert.deepEqual(shop.all(), { ...files, '.gitignore': 'other\n' })
  // The place of the last file is taken while the first one is in its place already.
  const [first] = plan.files
  const broken = {
    ...plan,
    files: [first, { file: 'app.js/x', before: undefined, after: '', changes: [] }],
  }
  const { code, at } = applyChanges(broken as Plan) ?? {}
  assert.deepEqual([code, at?.file], ['AOT_INIT_NOT_WRITABLE', join('app.js', 'x')])
  assert.deepEqual(shop.all(), { ...files, '.gitignore': 'other\n' })
  // A folder takes the place of the first file, which then can't be restored.
  const ignored = join(shop.folder, '.gitignore')
  const racing = {
    ...plan,
    files: [
      { file: '.gitignore', before: 'other\n', after: 'ours\n' },
      {
        file: 'package.json',
        before: files['package.json'],
        get after() {
          rmSync(ignored)
          mkdirSync(ignored)
          return '{}'
        },
      },
      { file: 'app.js/x', before: undefined, after: '' },
    ],
  }
  const { message = '' } = applyChanges(racing as unknown as Plan) ?? {}
  assert.match(message, /"\S*\.gitignore" could not be restored: EISDIR/)
  assert.doesNotMatch(message, /All files are as they were/)
  assert.equal(readFileSync(join(shop.folder, 'package.json'), 'utf8'), files['package.json'])
  rmdirSync(ignored)
  writeFileSync(ignored, 'other\n')
  chmodSync(join(shop.folder, 'package.json'), 0o600)
  await shop.prepare()
  assert.equal(statSync(join(shop.folder, 'package.json')).mode & 0o777, 0o600)
})

test('a file that cannot be replaced leaves no temporary file', (t) => {
  const { folder } = project(t, { 'taken/below/file': '' })
  assert.throws(() => writeWhole(join(folder, 'taken'), ''), { syscall: 'rename' })
  assert.deepEqual(readdirSync(folder), ['.git', 'taken'])
})

test('on a terminal it asks once; only yes changes anything', async (t) => {
  const shop = application(t, { dependencies: { fastify: '4.21.0' } })
  const files = shop.all()
  const run = (...args: string[]) =>
    startCommand(t, { folder: shop.folder, args: ['init', ...args], terminal: true })
  for (const answer of ['n\r', '\u0003', '\u0004']) {
    const terminal = run()
    await terminal.until(/Change these files\? \[Y\/n\] /)
    terminal.press(answer)
    await terminal.until(/Nothing was changed\./)
    assert.equal(await terminal.ended(), 1)
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

test('on a terminal it asks which way an application on Fastify 5 goes', async (t) => {
  const shop = application(t, {
    scripts: { start: 'node app.js' },
    dependencies: { fastify: '5.12.8' },
  })
  const before = shop.all()
  const unclear = startCommand(t, { folder: shop.folder, args: ['init'], terminal: true })
  await unclear.until(/Which way\? /)
  unclear.press('1\r')
  await unclear.until(/Nothing was changed\. Answer "stay" or "replace", not "1"\./)
  assert.equal(await unclear.ended(), 1)
  assert.deepEqual(shop.all(), before)
  const terminal = startCommand(t, { folder: shop.folder, args: ['init'], terminal: true })
  await terminal.until(/Which way\? \[stay\/replace\] \(stay\) /)
  terminal.press('replace\r')
  await terminal.until(
    hasPreload ? /served by framework\/5, in place of/ : /served by framework\/5\r?\n/,
  )
  await terminal.until(/\[Y\/n\] /)
  terminal.press('\r')
  await terminal.until(/Changed package\.json, \.gitignore\./)
  assert.equal(await terminal.ended(), 0)
  const flags = hasPreload
    ? '--import framework/fastify --import '
    : '--import ./.framework/register.js'
  assert.ok(shop.read('package.json').includes(`"start": "node ${flags}`))
})

for (const [name, fastify, output, ...options] of [
  ['Fastify 5', 'LINK:node_modules/fastify-5', '5.12.8 400 true'],
  ['framework/5 in its place', 'LINK:node_modules/fastify-5', '5.12.8 400 false', '--replace'],
  ['what stands in for Fastify 4', 'LINK:runtime', '4.21.0 400 false'],
] as const) {
  test(`the scripts that it writes build and start an application on ${name}`, (t) => {
    const isOurs = fastify === 'LINK:runtime'
    const shop = project(t, {
      'package.json': {
        type: 'module',
        scripts: { start: 'node app.js' },
        dependencies: { fastify: isOurs ? '4.21.0' : '5.12.8' },
      },
      'app.js': `import fastify from 'fastify'
const app = fastify()
app.post('/', { schema: { body: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } } }, async () => '')
const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: {} })
console.log(app.version, statusCode, Object.getOwnPropertySymbols(app).some((one) => one.description === 'fastify.state'))
`,
      'node_modules/framework': 'LINK:runtime',
      'node_modules/@framework/compiler': 'LINK:compiler',
      'node_modules/.bin/framework': `#!/bin/sh\nexec node '${commandFile}' "$@"\n`,
      'node_modules/fastify': fastify,
    })
    const { status, stderr } = shop.init(...options)
    assert.equal(status, 0, stderr)
    if (shop.manifest().dependencies['fastify']?.startsWith('npm:@framework/fastify@')) {
      rmSync(join(shop.folder, 'node_modules/fastify'))
      symlinkSync(join(root, 'packaging/fastify'), join(shop.folder, 'node_modules/fastify'))
    }
    const npm = (...args: string[]) =>
      spawnSync('npm', ['run', '--silent', ...args], { cwd: shop.folder, encoding: 'utf8' })
    const built = npm('build')
    assert.equal(built.status, 0, built.stderr)
    const started = npm('start')
    assert.equal(started.stdout, `${output}\n`, started.stderr)
  })
}

test('a file of the user is rewritten where its symbolic links lead', (t) => {
  const { folder } = project(t, {})
  const path = (name: string): string => join(folder, name)
  symlinkSync('second', path('first'))
  symlinkSync('end', path('second'))
  mkdirSync(path('real/deep'), { recursive: true })
  symlinkSync('real/deep', path('alias'))
  symlinkSync('../target', path('alias/link'))
  symlinkSync('missing/target', path('dangling'))
  symlinkSync('loop', path('loop'))
  rewrite(path('first'), 'of a chain')
  assert.equal(readFileSync(path('end'), 'utf8'), 'of a chain')
  rewrite(path('alias/link'), 'of a linked folder')
  assert.equal(readFileSync(path('real/target'), 'utf8'), 'of a linked folder')
  rewrite(path('dangling'), 'of a missing target')
  assert.equal(readFileSync(path('missing/target'), 'utf8'), 'of a missing target')
  assert.throws(() => rewrite(path('loop'), 'of nothing'), { code: 'ELOOP' })
  for (const link of ['first', 'second', 'alias/link', 'dangling', 'loop'])
    assert.ok(lstatSync(path(link)).isSymbolicLink(), link)
})
