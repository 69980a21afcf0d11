/** `framework check` reads `framework.rules.js` and lists the routes that break a rule. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../../cli/rules/index.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import type { Lasting } from '../support/folders.ts'

const rules = `import { defineRules } from '@framework/compiler'

export default defineRules(
  {
    'hook:onRequest:app.js#authenticate': true,
    'hook:onRequest:@fastify/cors': '/v1/*',
    'response-schemas': true,
    'books are limited': (route) =>
      route.method !== 'PUT' || route.hasHook('preHandler', 'app.js#limit'),
  },
  { exceptions: { 'response-schemas': { 'GET /v1/books/:id': 'It answers with a file.' } } },
)
`

const application = `import framework from 'framework'
import cors from '@fastify/cors'

const app = framework()
app.addHook('onRequest', async function authenticate() {})
await app.register(cors)

app.register(async function books(books) {
  books.addHook('preHandler', async () => {})
  const schema = { response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } } }
  books.post('/', { schema, preHandler: [function limit() {}] }, async () => ({ id: 1 }))
  books.put('/:id', async () => '')
  books.get('/:id', async () => '')
}, { prefix: '/v1/books' })

await app.ready()
`

function createShop(t: Lasting, text = rules): Workshop {
  const shop = createWorkshop(t, 'cli/empty', { 'framework.rules.js': text }).writeApp(application)
  shop.install('@fastify')
  return shop
}

const shown = [
  'response-schemas',
  '  PUT /v1/books/:id  app.js:12:3  it has no schema for a 2xx response',
  '',
  'books are limited',
  '  PUT /v1/books/:id  app.js:12:3',
  '',
  '2 problems with 2 of 4 rules.',
]

test('text, JSON and annotations name the place of each route that breaks a rule', (t) => {
  const shop = createShop(t)
  const said = shop.fail('check', 'app.js', '--rules').trimEnd().split('\n')
  assert.deepEqual(
    said.map((line) => line.trimEnd()),
    shown,
  )
  const { ok, diagnostics, result } = shop.json<{
    rules: { checked: string[]; broken: Finding[] }
  }>('check', 'app.js', '--rules')
  assert.equal(ok, false)
  assert.equal(result.rules.checked.length, 4)
  assert.deepEqual(
    result.rules.broken.map(({ rule, route, at }) => [rule, route, at.line]),
    [
      ['response-schemas', 'PUT /v1/books/:id', 12],
      ['books are limited', 'PUT /v1/books/:id', 12],
    ],
  )
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['AOT_RULE_BROKEN', 'AOT_RULE_BROKEN'],
  )
  const github = shop.framework('check', 'app.js', '--rules', '--format', 'github')
  assert.equal(github.status, 1)
  assert.match(
    github.stdout,
    /^::error file=app\.js,line=12,col=3,title=response-schemas::PUT \/v1\/books\/%?3?A?:id breaks the rule "response-schemas"/,
  )
  const sarif = shop.framework('check', 'app.js', '--rules', '--format', 'sarif')
  const { runs } = JSON.parse(sarif.stdout) as { runs: [{ results: { ruleId: string }[] }] }
  assert.deepEqual(
    runs[0].results.map(({ ruleId }) => ruleId),
    ['response-schemas', 'books are limited'],
  )
})

test('without `--rules`, the artifact is checked as well', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const both = shop.framework('check')
  assert.equal(both.status, 1)
  assert.match(both.stdout, /is up to date/)
  assert.match(both.stderr, /2 problems with 2 of 4 rules/)
  const kept = rules
    .split('\n')
    .filter((line) => !/response|books are|hasHook|exceptions/.test(line))
  shop.write('framework.rules.js', kept.join('\n'))
  assert.match(shop.succeed('check'), /is up to date\.\n\n2 rules hold\./)
  shop.edit('app.js', "'/v1/books'", "'/v2/books'")
  const stale = shop.framework('check', '--format', 'github')
  assert.match(stale.stdout, /title=artifact-stale/)
})

test('rules in TypeScript, rules that package.json names, and rules that are not there', (t) => {
  const shop = createShop(t, '')
  shop.write('framework.rules.js', 'export default 1')
  assert.match(shop.fail('check', 'app.js', '--rules'), /AOT_RULES_INVALID\n.*`defineRules`/)
  for (const more of [['--rules'], []]) {
    const { stdout } = shop.framework('check', 'app.js', ...more, '--format', 'github')
    assert.match(stdout, /^::error file=framework\.rules\.js,.*title=AOT_RULES_INVALID::/m)
    if (more.length > 0) shop.succeed('build', 'app.js')
  }
  shop.write('package.json', '{ "type": "module", "framework": { "rules": "config/rules.ts" } }')
  assert.match(
    shop.fail('check', 'app.js', '--rules'),
    /config\/rules\.ts {2}AOT_RULES_INVALID\n.*no such file/,
  )
  const typed = rules
    .replace('(route) =>', '(route: RuleRoute): boolean =>')
    .replace('{ defineRules }', '{ defineRules, type RuleRoute }')
  shop.write('config/rules.ts', typed)
  // In a process of its own: esbuild keeps the working directory that it starts in.
  const command = join(shop.folder, 'node_modules/framework/dist/command.js')
  const finished = shop.node(command, 'check', 'app.js', '--rules')
  assert.match(finished.stderr, /2 problems with 2 of 4 rules/)
  assert.deepEqual(shop.list('config'), ['rules.ts'])
  const plain = createWorkshop(t, 'cli/shop')
  const { status, stderr } = plain.framework('check', 'app.js', '--rules')
  assert.equal(status, 2)
  assert.match(stderr, /There is no `framework\.rules\.js`/)
})

test('`framework routes --with hooks` lists the hooks of each route', (t) => {
  const shop = createShop(t)
  const lines = shop.succeed('routes', 'app.js', '--with', 'hooks').trimEnd().split('\n')
  const put = lines.find((line) => line.startsWith('PUT'))
  assert.match(
    put ?? '',
    /onRequest authenticate, onRequest handleCors \(@fastify\/cors\), preHandler -/,
  )
  const found = shop.succeed('routes', 'app.js', '--with', 'hooks', '--filter', 'limit')
  assert.equal(found.trimEnd().split('\n').length, 2)
})
