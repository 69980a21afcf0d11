/** Rules see what the build knows about routes. Unknown counts as broken. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compile } from '../../../compiler/compile.ts'
import { checkRules } from '../../../cli/rules/index.ts'
import { defineRules, type Rules, type RuleSettings } from '../../../compiler/model/rules.ts'
import { writeAll } from '../../support/folders.ts'

// Inside the checkout, where the packages resolve.
const folder = fileURLToPath(new URL(`../../../../rules-${process.pid}/`, import.meta.url))
after(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

/** Returns `<rule> <route>: <reason>` for each finding. */
async function findingsOf(
  lines: readonly string[],
  rules: Rules,
  { exceptions }: RuleSettings = {},
  options: {
    readonly boot?: boolean
    readonly allowDynamic?: boolean
    readonly factory?: string
  } = {},
): Promise<readonly string[]> {
  const { boot = false, allowDynamic = false, factory = '' } = options
  const root = join(folder, String(count++))
  const text = [
    // From dist/, boots find only the real Fastify.
    `import framework from '${boot ? 'fastify' : 'framework'}'`,
    "import { authenticate, requireRole } from './auth.js'",
    'export default async function createApp() {',
    `const app = framework(${factory})`,
    'const end = async () => ({})',
    ...lines,
    'return app',
    '}',
  ]
  writeAll(root, {
    'package.json': { type: 'module' },
    'auth.js':
      'export async function authenticate() {}\nexport const requireRole = (role) => async () => role',
    'app.js': text.join('\n'),
  })
  const entry = join(root, 'app.js')
  const { artifact, diagnostics } = await compile({ entry, boot, allowDynamic, cache: false })
  assert.ok(artifact, JSON.stringify(diagnostics))
  const set = exceptions ? defineRules(rules, { exceptions }) : defineRules(rules)
  const file = { path: join(root, 'framework.rules.js'), name: 'framework.rules.js', text: '', set }
  return checkRules(artifact.manifest, file).map(({ code, rule, route, reason, message }) =>
    code === 'AOT_RULE_BROKEN' ? `${rule} ${route}: ${reason}` : `${code} ${message}`,
  )
}

const authenticated = 'hook:onRequest:auth.js#authenticate'
const add = "app.addHook('onRequest', authenticate)"

interface Case {
  readonly lines: readonly string[]
  readonly rules: Rules
  readonly expected: readonly (string | RegExp)[]
  readonly settings?: RuleSettings
  readonly options?: NonNullable<Parameters<typeof findingsOf>[3]>
}

const closedObject =
  "{ type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } }"

const cases: Readonly<Record<string, Case>> = {
  'a hook that is there': {
    lines: [add, "app.get('/admin/x', end)"],
    rules: { [authenticated]: '/admin/*' },
    expected: [],
  },
  'a hook that is not there, for the URLs of a pattern': {
    lines: ["app.get('/admin/x', end)", "app.post('/admin/y', end)", "app.get('/', end)"],
    rules: { [authenticated]: '/admin/*' },
    expected: [
      `${authenticated} GET /admin/x: it has no onRequest hook auth.js#authenticate`,
      `${authenticated} POST /admin/y: it has no onRequest hook auth.js#authenticate`,
    ],
  },
  'a hook by the function that returns it, by its decorator, and of another kind': {
    lines: [
      "app.decorate('check', async () => {})",
      "app.get('/', { preHandler: [requireRole('admin'), app.check] }, end)",
    ],
    rules: {
      'hook:preHandler:auth.js#requireRole()': true,
      'hook:preHandler:app.check': true,
      'hook:onRequest:app.check': true,
      'hook:preHandler:auth.js#requireRole': true,
    },
    expected: [
      'hook:onRequest:app.check GET /: it has no onRequest hook app.check',
      'hook:preHandler:auth.js#requireRole GET /: it has no preHandler hook auth.js#requireRole',
    ],
  },
  'a conditional hook, for rules that want it and rules that refuse it': {
    lines: [`if (process.env.SAFE) ${add}`, "app.get('/', end)"],
    rules: {
      [authenticated]: true,
      never: (route) => !route.hasHook('onRequest', 'auth.js#authenticate'),
      either: (route) => route.hasHook('onRequest', 'auth.js#authenticate') || true,
      list: (route) => route.hooks('onRequest').length >= 0,
      'another kind': (route) => !route.hasHook('preHandler', 'auth.js#authenticate'),
    },
    expected: [authenticated, 'never', 'list'].map(
      (rule) => `${rule} GET /: the onRequest hook at app.js:6:23 depends on a condition`,
    ),
  },
  'a misspelt decorator of the application': {
    lines: [
      "app.decorate('authenticate', authenticate)",
      "app.get('/', { onRequest: app.authenticat }, end)",
    ],
    rules: { 'hook:onRequest:app.authenticate': true, 'hook:onRequest:app.authenticat': true },
    expected: [
      /^hook:onRequest:app\.authenticate GET \/: there may be/,
      /authenticat GET \/: there may be/,
    ],
  },
  'names that nothing in the application has': {
    lines: [
      "app.decorate('check', async () => {})",
      "app.get('/a', { onRequest: requireRole('x') }, end)",
      "app.get('/b', end)",
    ],
    rules: {
      'hook:onRequest:auth.js#authentificate': true,
      ...Object.fromEntries(
        [
          'auth.js#authentificate',
          'auht.js#authenticate',
          'auth.js#requireRoles()',
          'app.chek',
          '@fastify/cors',
          // Names of things that routes may have.
          'auth.js#authenticate',
          'auth.js#requireRole',
          'app.check',
        ].map((name) => [`no ${name}`, (route) => !route.hasHook('onRequest', name)]),
      ),
    },
    expected: [
      ['hook:onRequest:auth.js#authentificate', 'auth.js#authentificate', 'auth.js#authenticate'],
      ['no auth.js#authentificate', 'auth.js#authentificate', 'auth.js#authenticate'],
      ['no auht.js#authenticate', 'auht.js#authenticate', 'auth.js#authenticate'],
      ['no auth.js#requireRoles()', 'auth.js#requireRoles()', 'auth.js#requireRole()'],
      ['no app.chek', 'app.chek', 'app.check'],
      ['no @fastify/cors', '@fastify/cors', undefined],
    ].map(
      ([rule, name, hint]) =>
        `AOT_RULE_FAILS The rule "${rule}" fails for GET /a: no function, decorator or package of the application is named "${name}"${hint ? `. Did you mean "${hint}"?` : ''}. Correct the rule.`,
    ),
  },
  'names of decorators that plugins of packages add': {
    lines: [
      "app.register(import('@fastify/basic-auth'), { validate: authenticate })",
      "app.get('/', end)",
    ],
    rules: {
      right: (route) => !route.hasHook('onRequest', 'app.basicAuth'),
      wrong: (route) => !route.hasHook('onRequest', 'app.basicAuht'),
    },
    options: { boot: true },
    expected: [/^AOT_RULE_FAILS The rule "wrong" .* Did you mean "app\.basicAuth"\?/],
  },
  'a plugin of a package without a boot': {
    lines: ["app.register(import('@fastify/helmet'))", "app.get('/', end)"],
    rules: { 'hook:onRequest:@fastify/helmet': true },
    expected: [/: "@fastify\/helmet" at app\.js:6:1 may add hooks, and no boot shows them$/],
  },
  'a plugin of a package with a boot': {
    lines: ["app.register(import('@fastify/helmet'))", "app.get('/', end)"],
    rules: { 'hook:onRequest:@fastify/helmet': true, 'hook:onRequest:@fastify/cors': true },
    options: { boot: true },
    expected: [/^AOT_RULE_FAILS .* is named "@fastify\/cors"/],
  },
  'hooks in the order in which they run': {
    lines: [
      "app.register(async (child) => child.get('/', { onRequest: requireRole('x') }, end))",
      add,
    ],
    rules: {
      order: (route) =>
        route
          .hooks('onRequest')
          .map((one) => `${one.function} of ${one.from}`)
          .join(' '),
    },
    expected: ['order GET /: auth.js#authenticate of root auth.js#requireRole() of route'],
  },
  'schemas of responses': {
    lines: [
      "app.get('/a', { schema: { response: { '2xx': { type: 'string' } } } }, end)",
      "app.get('/b', { schema: { response: { 201: { type: 'string' } } } }, end)",
      "app.get('/c', { schema: { response: { default: { type: 'string' } } } }, end)",
      "app.get('/d', { schema: { response: { 400: { type: 'string' } } } }, end)",
    ],
    rules: { 'response-schemas': true },
    expected: ['response-schemas GET /d: it has no schema for a 2xx response'],
  },
  'closed bodies, through references, short forms and media types': {
    lines: [
      "app.addSchema({ $id: 'open', type: 'object', properties: { self: { $ref: '#' }, a: {} } })",
      `app.addSchema({ $id: 'closed', ...${closedObject}, definitions: { open: { type: 'object' } } })`,
      `app.post('/a', { schema: { body: ${closedObject} } }, end)`,
      "app.post('/b', { schema: { body: { $ref: 'closed#' } } }, end)",
      "app.post('/c', { schema: { body: { $ref: 'open#' } } }, end)",
      "app.post('/d', { schema: { body: { a: { type: 'string' } } } }, end)",
      "app.post('/e', { schema: { body: { type: 'array', items: { $ref: 'closed#/definitions/open' } } } }, end)",
      `app.post('/f', { schema: { body: { ...${closedObject}, properties: { b: { anyOf: [{ type: 'null' }, { $ref: 'open' }] } } } } }, end)`,
    ],
    rules: {
      'closed-bodies': true,
      own: (route) =>
        route.body?.['additionalProperties'] === false || ['/c', '/d', '/e'].includes(route.url),
    },
    expected: ['c', 'd', 'e', 'f'].map((url, i) => {
      const path = ['body', 'body', 'body[]', 'body.b'][i]
      return `closed-bodies POST /${url}: ${path} allows other properties than its own`
    }),
  },
  'expressions that may take long': {
    lines: [
      "app.get('/a', { schema: { querystring: { type: 'object', properties: { q: { type: 'string', pattern: '^(a+)+$' } } } } }, end)",
      "app.get('/b', { schema: { querystring: { type: 'object', properties: { q: { type: 'string', pattern: '^a+$' } } } } }, end)",
    ],
    rules: { 'no-unsafe-regex': true },
    expected: [
      'no-unsafe-regex GET /a: querystring has /^(a+)+$/, which may take exponential time',
    ],
  },
  'limits of bodies': {
    lines: [
      "app.post('/a', { bodyLimit: 10 }, end)",
      "app.post('/b', end)",
      "app.post('/c', { bodyLimit: Number(process.env.LIMIT) }, end)",
      "app.get('/d', end)",
    ],
    rules: { 'max-body': 100 },
    options: { factory: '{ bodyLimit: 2000 }' },
    expected: [
      'max-body POST /b: its body may have 2000 bytes',
      'max-body POST /c: its option "bodyLimit" is not known',
    ],
  },
  'descriptions, tags and options': {
    lines: [
      "app.get('/a', { schema: { summary: 'A', tags: ['x'] }, config: { public: true } }, end)",
      "app.get('/b', end)",
    ],
    rules: {
      documented: true,
      tagged: (route) => route.tags.includes('x'),
      public: (route) =>
        (route.options['config'] as { public?: boolean } | undefined)?.public === true,
    },
    expected: [
      'documented GET /b: it has neither a summary nor a description',
      'tagged GET /b: ',
      'public GET /b: ',
    ],
  },
  'what is left out of the build': {
    lines: [
      "app.post('/a', { schema: { body: JSON.parse(process.env.SCHEMA) } }, end)",
      "app.post('/b', { schema: { body: { type: 'string' } } }, end)",
    ],
    rules: {
      'no-dynamic': true,
      'closed-bodies': true,
      caught: ({ body }) => body === undefined || true,
    },
    options: { allowDynamic: true },
    expected: [/^no-dynamic POST \/a: /, /^closed-bodies POST \/a: /, /^caught POST \/a: /],
  },
  exceptions: {
    lines: ["app.get('/a', end)", "app.get('/b', end)"],
    rules: { documented: true },
    settings: {
      exceptions: { documented: { 'GET /a': 'internal', 'GET /c': 'gone', 'GET /b': '' } },
    },
    expected: [
      'documented GET /b: it has neither a summary nor a description',
      'AOT_RULE_EXCEPTION_UNUSED The exception of "GET /c" from the rule "documented" isn\'t needed: no such route breaks it. Remove the exception.',
      'AOT_RULE_EXCEPTION_WITHOUT_REASON The exception of "GET /b" from the rule "documented" has no reason. Say why it may break the rule.',
    ],
  },
  'rules that are wrong': {
    lines: ["app.get('/a', end)", "app.get('/b', end)"],
    rules: {
      throws: () => {
        throw new Error('no')
      },
      nothing: (() => undefined) as unknown as () => boolean,
      later: (async () => true) as unknown as () => boolean,
      kind: (route) => route.hasHook('onRequests', 'x'),
      documentd: true,
    },
    expected: [
      'AOT_RULE_FAILS The rule "throws" fails for GET /a: no. Correct the rule.',
      'AOT_RULE_FAILS The rule "nothing" fails for GET /a: it returns undefined, not a boolean or a text. Correct the rule.',
      'AOT_RULE_FAILS The rule "later" fails for GET /a: it returns a promise, not a boolean or a text. Correct the rule.',
      'AOT_RULE_FAILS The rule "kind" fails for GET /a: "onRequests" is not a hook of requests. Correct the rule.',
      'AOT_RULE_UNKNOWN There is no ready-made rule "documentd", or it takes another value. Did you mean "documented"? Your own rules are functions.',
    ],
  },
  'validators and serializers': {
    lines: [
      "app.post('/a', { schema: { body: { type: 'string' } } }, end)",
      "app.post('/b', { schema: { body: { type: 'string' } }, validatorCompiler: () => () => true }, end)",
    ],
    rules: { own: (route) => `${route.validator} ${route.serializer}` },
    expected: ['own POST /a: compiled none', 'own POST /b: own none'],
  },
  'HEAD routes': {
    lines: [
      "app.addHook('onRoute', (route) => { if (route.method === 'GET') route.onRequest = authenticate })",
      "app.get('/', end)",
    ],
    rules: { [authenticated]: true },
    expected: [`${authenticated} HEAD /: it has no onRequest hook auth.js#authenticate`],
  },
}

for (const [title, { lines, rules, expected, settings, options }] of Object.entries(cases)) {
  test(title, async () => {
    const found = await findingsOf(lines, rules, settings, options)
    assert.equal(found.length, expected.length, found.join('\n'))
    for (const [i, one] of expected.entries())
      if (typeof one === 'string') assert.equal(found[i], one)
      else assert.match(found[i] as string, one)
  })
}
