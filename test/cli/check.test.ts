/** `framework check`: whether the artifact is up to date, and how a change affects clients. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Staleness } from '../../compiler/5-artifact/read/staleness.ts'
import type { Change } from '../../cli/changes/index.ts'
import type { Lasting } from '../support/folders.ts'
import { root } from '../support/root.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const fixture = join(root, 'fixtures/cli/books')
const application = readFileSync(join(fixture, 'app.js'), 'utf8')
const author = readFileSync(join(fixture, 'author.js'), 'utf8')

const against = ['--against', 'before/manifest.json'] as const

function createShop(t: Lasting, app = application): Workshop {
  return createWorkshop(t, 'cli/books').writeApp(app)
}

interface Result extends Staleness {
  readonly state: string
  readonly changes: readonly Change[]
}

interface Sarif {
  readonly version: string
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
      readonly results: readonly { readonly ruleId: string; readonly level: string }[]
    },
  ]
}

test('an artifact is missing, fresh, stale, fresh again; nothing is written', (t) => {
  const shop = createShop(t)
  const none = shop.framework('check')
  assert.equal(none.status, 1)
  assert.match(
    none.stderr,
    /^There is no artifact in "\S*\/\.framework"\. Write one with `framework build`\.$/m,
  )
  assert.equal(shop.framework('check', 'app.js').status, 1)
  assert.ok(!shop.list('.').includes('.framework'))
  shop.succeed('build', 'app.js')
  const built = shop.read('.framework/manifest.json')
  assert.deepEqual(shop.framework('check', '--quiet'), { status: 0, stdout: '', stderr: '' })
  assert.match(shop.framework('check').stdout, /^\.framework is up to date\.$/m)

  shop.edit('author.js', 'minLength: 1', 'minLength: 2')
  shop.edit('app.js', "app.delete('/books/:id'", "app.put('/books/:id'")
  const stderr = shop.fail('check', 'app.js')
  const [, listed = ''] = stderr.split('.framework is out of date:\n')
  const lines = listed
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '))
  assert.deepEqual(lines, [
    'The shared schema "author" | has changed | app.js:5:1',
    'and with it 1 part of 1 route: POST /v1/books body',
    'PUT /v1/books/:id | is new | app.js:20:5',
    'DELETE /v1/books/:id | is no longer declared | app.js:20:5',
    'Run `framework build` to update it.',
  ])
  const { ok, result } = shop.json<Result>('check')
  assert.equal(ok, false)
  assert.equal(result.state, 'stale')
  const stale = result.routes.map(({ change, parts }) => [change, parts])
  assert.deepEqual(stale, [
    ['changed', ['body']],
    ['new', []],
    ['gone', []],
  ])
  assert.equal(shop.read('.framework/manifest.json'), built)
  shop.succeed('build')
  shop.succeed('check')

  shop.edit('author.js', 'minLength: 2', 'minLength: 3')
  shop.edit('app.js', "id: { type: 'integer' }, title", "id: { type: 'number' }, title")
  shop.edit('app.js', "params = { id: { type: 'integer'", "params = { id: { type: 'number'")
  const { stderr: many } = shop.framework('check')
  assert.match(many, /POST \/v1\/books +200, body have changed /)
  assert.match(many, /PUT \/v1\/books\/:id +params have changed /)

  // One line for what has changed by one edit, however many routes refer to it.
  shop.framework('build')
  const route = (_: unknown, i: number) => `app.post('/r${i}', { schema: { body } }, () => '')`
  const routes = Array.from({ length: 30 }, route)
  shop.edit('app.js', "  app.get('/books'", `  ${routes.join('\n  ')}\n  app.get('/books'`)
  shop.framework('build')
  shop.edit('author.js', 'minLength: 3', 'minLength: 4')
  const { stderr: folded } = shop.framework('check')
  assert.match(
    folded,
    /:\n {2}The shared schema "author" {2}has changed {2}app\.js:5:1\n {4}and with it 31 parts of 31 routes: POST \/v1\/books body; POST \/v1\/r0 body; POST \/v1\/r1 body and 28 more \(`--json` lists them\)\nRun `framework build`/,
  )
  assert.equal(shop.json<Result>('check').result.routes.length, 31)
})

test('an artifact is stale for other reasons than routes', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const chunk = shop.list('.framework').find((file) => /^chunks.*\.cjs$/.test(file)) ?? ''
  shop.write(`.framework/${chunk}`, '')
  assert.deepEqual(shop.json<Result>('check').result.reasons, [
    `files are missing or damaged: ${chunk}`,
  ])
  shop.write('.framework/manifest.json', '{ "format": 5,')
  assert.equal(shop.json<Result>('check').result.state, 'missing')
  shop.write('.framework/manifest.json', '')
  assert.match(shop.framework('build', 'app.js').stderr, /AOT_OUTPUT_NOT_OURS/)
  rmSync(join(shop.folder, '.framework'), { recursive: true })
  shop.succeed('build', 'app.js')
  shop.writeApp(`\n${application}`)
  assert.deepEqual(shop.json<Result>('check').result.reasons, [
    'places, contexts or options have changed, and no function of a route',
  ])
  shop.edit('app.js', "type: 'integer' }, title", "type: 'wrong' }, title")
  const stderr = shop.fail('check')
  assert.match(stderr, /^app\.js:15:\d+ {2}AOT_SCHEMA_INVALID$/m)
})

test('the artifact beside the entry decides with which options it is checked', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'api/package.json': '{ "type": "module" }',
    'api/app.js': `import framework from 'framework'
export const app = framework()
app.get('/', { schema: { querystring: JSON.parse(process.env.WORDS) } }, async () => 1)
`,
  })
  shop.succeed('build', 'api/app.js', '--allow-dynamic')
  shop.succeed('check', 'api/app.js')
})

test('an artifact for another Fastify than the application runs on is stale', (t) => {
  const shop = createShop(t, application.replace("'framework'", "'fastify'"))
  const fastify = join(shop.folder, 'node_modules/fastify')
  const install = (name: string): void => {
    rmSync(fastify, { force: true })
    symlinkSync(join(root, 'node_modules', name), fastify, 'dir')
  }
  install('fastify-4')
  shop.succeed('build', 'app.js')
  shop.succeed('check')

  install('fastify-5')
  const stderr = shop.fail('check')
  assert.match(
    stderr,
    /:\n {2}it is for fastify@4, and app\.js runs on fastify 5\.\d+\.\d+\nRun `framework build` to update it\.$/m,
  )
  assert.equal(shop.json<Result>('check').result.state, 'stale')
  // An artifact for an explicit target is stale as well: this Fastify doesn't take it.
  shop.succeed('build', 'app.js', '--server', 'fastify@4')
  assert.equal(shop.framework('check').status, 1)
  rmSync(fastify)
  assert.equal(shop.framework('check').status, 0, 'nothing is known of what it runs on')

  shop.writeApp(application)
  const moved = shop.json<Result>('check')
  assert.equal(moved.ok, false)
  assert.deepEqual(moved.result.reasons, ['it is for fastify@4, and app.js runs on framework'])
})

test('--against reports changes for clients, and fails for breaking ones', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js', '--out', 'before')
  const old = { version: '0.0.1', entry: 'app.js', routes: [], contexts: [], functions: {} }
  shop.write('old/manifest.json', JSON.stringify(old))
  for (const command of [['openapi'], ['explain', '/books']]) {
    const { status, stderr } = shop.framework(...command, '--artifact', 'old')
    assert.equal(status, 2)
    assert.match(
      stderr,
      /An earlier version of framework wrote the artifact in "\S*old"\. Build it again\./,
    )
  }
  for (const [file, message] of [
    [
      'old/manifest.json',
      '"old/manifest.json" holds no schemas: an earlier version of framework wrote it. Build it again.',
    ],
    ['app.js', '"app.js" isn\'t the manifest of an artifact.'],
    ['package.json', '"package.json" isn\'t the manifest of an artifact.'],
  ] as const) {
    const wrong = shop.framework('check', 'app.js', '--against', file)
    assert.equal(wrong.status, 2)
    assert.ok(wrong.stderr.includes(`${message} Run "framework check --help"`), wrong.stderr)
  }
  // Names of parameters are not sent.
  shop.edit('app.js', '/books/:id', '/books/:book')
  shop.edit('app.js', 'params = { id:', 'params = { book:')
  const same = shop.framework('check', 'app.js', ...against)
  assert.deepEqual(same, {
    status: 0,
    stdout: 'Nothing has changed for clients since before/manifest.json.\n',
    stderr: same.stderr,
  })
  shop.edit('app.js', "required: ['title']", "required: ['title', 'author']")
  shop.edit(
    'app.js',
    "id: { type: 'integer' }, title: { type: 'string' }",
    "id: { type: 'number' }, isbn: { type: 'string' }",
  )
  shop.edit(
    'app.js',
    "page: { type: 'integer', nullable: true }",
    "page: { type: 'integer' }, size: { type: 'integer' }",
  )
  shop.edit('app.js', "app.delete('/books/:book'", "app.put('/books/:book'")
  shop.edit('author.js', 'minLength: 1', 'minLength: 3')
  const { status, stdout } = shop.framework('check', 'app.js', ...against)
  assert.equal(status, 1)
  assert.equal(
    stdout,
    `DELETE /v1/books/:id  app.js:20:5
  breaking    is not there any more

POST /v1/books  app.js:18:5
  breaking    body: author is required now
  breaking    body: author.name minLength: 1 → 3
  breaking    200: id type: integer → number
  breaking    200: title is not sent any more
  compatible  200: isbn is sent now

GET /v1/books  app.js:19:5
  breaking    querystring: page type: integer or null → integer
  compatible  querystring: size may be sent now

PUT /v1/books/:book  app.js:20:5
  compatible  is new

6 breaking changes, 3 compatible since before/manifest.json
`,
  )
  const github = shop.framework('check', 'app.js', ...against, '--format', 'github')
  assert.equal(github.status, 1)
  const annotation =
    '::error file=app.js,line=18,col=5,title=request-changed::POST /v1/books: body: author is required now\n'
  assert.ok(github.stdout.includes(annotation), github.stdout)
  const sarif = shop.framework('check', 'app.js', ...against, '--format', 'sarif')
  const { version, runs } = JSON.parse(sarif.stdout) as Sarif
  assert.equal(version, '2.1.0')
  assert.deepEqual(
    runs[0].results.map(({ level }) => level),
    ['error', 'error', 'error', 'error', 'error', 'note', 'error', 'note', 'note'],
  )
  const rules = runs[0].tool.driver.rules.map(({ id }) => id)
  assert.ok(runs[0].results.every(({ ruleId }) => rules.includes(ruleId)))
})

test('--against a revision compiles that revision, with its own packages of the workspace', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const settings = ['user.name=a', 'user.email=a@b.c', 'commit.gpgsign=false'].flatMap((one) => [
    '-c',
    one,
  ])
  const git = (...args: string[]): string =>
    execFileSync('git', [...settings, ...args], { cwd: shop.folder, encoding: 'utf8' })
  const manifest = '{ "name": "author", "type": "module", "main": "author.js" }'
  shop.write('packages/author/package.json', manifest)
  shop.write('packages/author/author.js', author)
  shop.write('packages/api/package.json', '{ "name": "api", "type": "module" }')
  shop.write('packages/api/app.js', application.replace('./author.js', 'author'))
  shop.write('.gitignore', 'node_modules\n.framework\n')
  symlinkSync(join(shop.folder, 'packages/author'), join(shop.folder, 'node_modules/author'), 'dir')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  shop.edit('packages/author/author.js', 'minLength: 1', 'minLength: 3')
  const before = git('status', '--porcelain')
  const temporary = (): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('framework-revision-'))
  const folders = temporary()
  const compare = ['check', 'packages/api/app.js', '--against', 'HEAD'] as const
  const { status, stdout, stderr } = shop.framework(...compare)
  assert.equal(status, 1, stderr)
  assert.match(stdout, /^ {2}breaking {4}body: author\.name minLength: 1 → 3$/m)
  assert.match(stdout, /^1 breaking change, 0 compatible since HEAD$/m)
  assert.equal(git('status', '--porcelain'), before)
  assert.ok(temporary().every((one) => folders.includes(one)))

  // As `framework init` does, which writes a file that starts the application.
  shop.write('packages/api/server.js', "import './app.js'\n")
  const newer = shop.fail('check', 'packages/api/server.js', '--against', 'HEAD')
  assert.match(
    newer,
    /"packages\/api\/server\.js" is new since "HEAD", which has no such file\. Name an entry that is in both, .*`framework check <entry> --against HEAD`\.$/m,
  )

  // It is reported before anything is read.
  const none = shop.framework('check', 'packages/api/nowhere.js', '--against', 'no-such-branch')
  assert.equal(none.status, 2)
  assert.match(none.stderr, /"no-such-branch" is neither a file nor a Git revision\./)
  rmSync(join(shop.folder, '.git'), { recursive: true })
  const alone = shop.framework(...compare)
  assert.equal(alone.status, 2)
  assert.match(
    alone.stderr,
    /^"HEAD" isn't a file, and "packages\/api\/app\.js" isn't in a Git repository\./,
  )
})

test('--against reads schemas as the line of the application does', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const write = (body: object): Workshop =>
    shop.writeApp(`import framework from 'framework/5'
const app = framework()
app.post('/', { schema: { body: ${JSON.stringify(body)} } }, async () => '')
await app.ready()
`)
  const changes = (body: object): readonly string[] => {
    write(body)
    const { result } = shop.json<Result>('check', 'app.js', ...against)
    return result.changes.map(({ effect, part, path, message }) =>
      [effect, part, path, message].join(' | '),
    )
  }
  const book = { type: 'object', properties: { title: { type: 'string' } } }
  const strict = { ...book, required: ['title'] }
  const text = { type: 'string' }
  const byType = (json: object, others = {}): object => ({
    content: { 'application/json': { schema: json }, ...others },
  })
  write(byType(book, { 'text/plain': { schema: text } }))
  shop.succeed('build', 'app.js', '--out', 'before')
  assert.deepEqual(changes(byType(strict)), [
    'breaking | body application/json | title | is required now',
    'compatible | body text/plain |  | type: string → any',
  ])
  assert.deepEqual(changes(book), [
    'breaking | body text/plain |  | type: string → object',
    'breaking | body |  | type: any → object',
    'breaking | body | title | type: any → string',
  ])
  shop.succeed('build', 'app.js', '--out', 'before')
  assert.deepEqual(changes(byType(book)), [
    'compatible | body |  | type: object → any',
    'compatible | body | title | type: string → any',
  ])
})
