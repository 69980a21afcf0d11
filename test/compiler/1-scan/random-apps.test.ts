/**
 * Random applications of several files: the scan shows the contexts, routes, schemas and compilers that Fastify has once
 * it has booted them. Some are built and served: they answer as they do on Fastify.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { fastifyLines } from '../../support/bridged.ts'
import { check, write } from '../../support/random-apps/check.ts'
import { application, type RandomApplication } from '../../support/random-apps/index.ts'
import { runs, runsAll } from '../../support/runs.ts'
import { build } from '../../../compiler/build.ts'
import { compare } from '../../parity/compare.ts'
import { noSerializer } from '../../parity/known-kinds.ts'
import { transcribe } from '../../parity/transcript.ts'
import { type App, compiled, oracle } from '../../support/engines.ts'
import type { BootedContext } from '../../support/scan-oracle.ts'
import type { ParityRequest } from '../../support/request.ts'

const app = (...lines: string[]): RandomApplication => ({
  kind: 'factory',
  files: {
    'app.ts': [
      "import framework from 'framework'",
      "import plugin from 'framework/plugin'",
      "const item = { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } }",
      'const own = () => (data: any) => ({ value: { own: data } })',
      'const echo = async (request: any) => ({ name: request.body, count: request.query })',
      'export default async function createApp() {',
      'const app: any = framework()',
      ...lines,
      'return app',
      '}',
    ].join('\n'),
  },
})

const regressions: Readonly<Record<string, RandomApplication>> = {
  'a compiler that is set after a child context was created does not reach it': app(
    "await app.register(async (child: any) => child.post('/before', { schema: { body: item } }, echo))",
    'app.setValidatorCompiler(own)',
    "app.register(async (child: any) => child.post('/after', { schema: { body: item } }, echo))",
  ),
  'a context that is given schemas from outside compiles by default again': app(
    'app.setValidatorCompiler(own)',
    'app.register(async (child: any) => {',
    "child.post('/r1', { schema: { body: item } }, echo)",
    "app.addSchema({ $id: 'late', type: 'string' })",
    '})',
    "app.register(async (child: any) => child.post('/r2', { schema: { body: item } }, echo))",
  ),
  'a factory of compilers is asked, whatever schemas are added': app(
    'app.register(async (child: any) => {',
    'child.setSchemaController({ compilersFactory: { buildValidator: () => own } })',
    "child.addSchema({ $id: 'here', type: 'string' })",
    "child.post('/r1', { schema: { body: item } }, echo)",
    '})',
  ),
  'hooks give a HEAD route another schema than its GET route': app(
    "app.addHook('onRoute', (route: any) => {",
    "if (route.method === 'GET') route.schema = { ...route.schema, querystring: item }",
    '})',
    "app.get('/r1', { schema: { response: { 200: item } } }, echo)",
    "app.register(async (child: any) => child.get('/', echo), { prefix: '/p' })",
  ),
  'a HEAD route for one host replaces no other HEAD route': app(
    "app.addHook('onRoute', (route: any) => {",
    "if (route.method === 'HEAD') route.schema = { querystring: item }",
    '})',
    "app.head('/r1', { constraints: { host: 'x.test' } }, echo)",
    "app.get('/r1', { schema: { response: { 200: item } } }, echo)",
  ),
  'hooks count HEAD routes': app(
    'let count = 0',
    "app.addHook('onRoute', (route: any) => {",
    'route.schema = { ...route.schema, querystring: { ...item, minProperties: count++ } }',
    '})',
    "app.get('/r1', echo)",
    "app.head('/r2', echo)",
    "app.get('/r2', echo)",
    "app.get('/r3', { exposeHeadRoute: false }, echo)",
    "app.get('/r4', echo)",
  ),
  'hooks are shown the first path of a slash': app(
    "app.addHook('onRoute', (route: any) => {",
    'const { url, routePath, prefix, method } = route',
    'route.schema = { ...route.schema, description: [url, routePath, prefix, method].join() }',
    '})',
    "app.register(async (child: any) => child.get('/', echo).post('/r1', echo), { prefix: '/p/' })",
    "app.register(async (child: any) => child.post('/', echo), { prefix: '/q' })",
  ),
  'an onRegister hook waits for the plugins before it': app(
    "app.register(async (child: any) => child.register(async (inner: any) => inner.get('/r1', echo)))",
    "app.addHook('onRegister', (instance: any) => instance.addSchema({ $id: 'opened', ...item }))",
    "app.register(async (child: any) => child.post('/r2', { schema: { body: { $ref: 'opened#' } } }, echo))",
  ),
  'what is registered in after is loaded before what waits': app(
    "app.after(() => app.register(async (child: any) => child.get('/r1', echo), { prefix: '/first' }))",
    "app.register(async (child: any) => child.get('/r2', echo), { prefix: '/second' })",
  ),
  'an error formatter that is set later does not reach a route': app(
    'app.register(async (child: any) => {',
    "child.after(() => child.post('/r1', { schema: { body: item } }, echo))",
    'child.register(plugin(async (same: any) => same.setSchemaErrorFormatter(() => new Error("own"))))',
    '})',
  ),
}

// Inside the checkout, where `framework` and its peers resolve.
const root = fileURLToPath(new URL(`../../../random-apps-${process.pid}/`, import.meta.url))
let count = 0
after(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Returns true if Fastify boots it. Throws if the scan or the answers from the artifact differ. */
async function holds(app: RandomApplication, isServed: boolean): Promise<boolean> {
  const folder = join(root, String(count++))
  write(folder, app)
  const verdict = await check(folder)
  if (verdict.kind === 'refused') return false
  const differences =
    verdict.kind !== 'equal'
      ? verdict.lines
      : isServed
        ? await compareAnswers(folder, app, verdict.booted.root)
        : []
  assert.equal(differences.length, 0, `${textOf(app)}\n${differences.join('\n')}`)
  rmSync(folder, { recursive: true })
  return true
}

function textOf({ files }: RandomApplication): string {
  return Object.entries(files)
    .map(([path, text]) => `// ${path}\n${text}`)
    .join('\n')
}

for (const [title, app] of Object.entries(regressions)) {
  test(title, async () => assert.ok(await holds(app, runsAll)))
}

test('shows random applications as Fastify boots them', async () => {
  const tally = { all: 0, booted: 0 }
  const property = fc.asyncProperty(application, async (app) => {
    tally.all++
    if (await holds(app, tally.all % 10 === 0)) tally.booted++
  })
  // Looking for the smallest application that fails would take many boots.
  await fc.assert(property, { ...runs(15), endOnFailure: true })
  assert.ok(tally.booted >= tally.all * 0.95, `Fastify boots ${tally.booted} of ${tally.all}`)
})

for (const line of fastifyLines) {
  test(`shows random applications as ${line} boots them`, async () => {
    const { numRuns, seed } = runs(8)
    const kinds: string[] = []
    for (const app of fc.sample(application, { numRuns, seed })) {
      const folder = join(root, String(count++))
      write(folder, app)
      const verdict = await check(folder, line)
      const differs = verdict.kind === 'different' || verdict.kind === 'reported'
      assert.ok(!differs, `${textOf(app)}\n${differs ? verdict.lines.join('\n') : ''}`)
      kinds.push(verdict.kind)
      rmSync(folder, { recursive: true })
    }
    // Fastify 5 refuses short forms of schemas.
    const booted = kinds.filter((kind) => kind === 'equal').length
    assert.ok(booted >= numRuns * 0.6, `Fastify boots ${booted} of ${numRuns}`)
  })
}

/** Returns the answers that differ from Fastify's. */
async function compareAnswers(
  folder: string,
  { kind }: RandomApplication,
  root: BootedContext,
): Promise<string[]> {
  const out = join(folder, '.framework')
  const source = join(folder, 'app.ts')
  const { diagnostics } = await build({ entry: source, out, cache: false, boot: false })
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => `${code} ${message}`)
  const file = join(folder, 'js/app.js')
  const app: App = {
    name: 'random',
    kind,
    file,
    source,
    artifact: out,
    requests: '',
    generatesCode: false,
  }
  const exchanges = requestsOf(root).map((request, i) => {
    const title = `${i} ${request.method} ${request.target}, ${request.title}`
    return { title, via: 'inject' as const, request: { ...request, title } }
  })
  const [expected, actual] = await Promise.all([
    transcribe(oracle, app, exchanges),
    transcribe(compiled, app, exchanges),
  ])
  return compare(exchanges, expected, actual)
    .filter(({ lines }) => !lines.some((line) => line.includes(noSerializer)))
    .flatMap(({ title, lines }) => [title, ...lines])
}

const query = '?name=abc&count=3&flag=true&tags=t&kind=a&item=x&more=1'
const invalid = '?name=abcdef&count=x&flag=9&kind=z'
const body = {
  name: 'abc',
  count: '3',
  flag: 'true',
  tags: 't',
  item: { name: 5 },
  kind: 'a',
  extra: 1,
}

/** For each route one request that may fit and some that may not. */
function requestsOf(context: BootedContext): ParityRequest[] {
  const own = context.routes.flatMap(({ url, methods }): ParityRequest[] => {
    const path = url.replace(/:\w+/g, '7').replace('*', 'some/where')
    const takesBody = methods.some((method) => ['POST', 'PUT', 'PATCH'].includes(method))
    const withBody = (content: unknown): Partial<ParityRequest> => ({
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(content),
    })
    return methods.flatMap((method) => {
      const other = withBody({ name: { no: 1 }, count: 'x' })
      return [
        { title: 'fits', method, target: path + query, ...(takesBody && withBody(body)) },
        {
          title: 'does not fit',
          method: method === 'GET' ? 'HEAD' : method,
          target: path + invalid,
          ...(takesBody && other),
          headers: [...((takesBody && other.headers) || []), ['accept-version', '1.2.0']],
        },
        { title: 'a list', method, target: path + invalid, ...withBody([]) },
      ]
    })
  })
  return [...own, ...context.children.flatMap(requestsOf)]
}
