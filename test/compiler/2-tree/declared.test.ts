/** Random lists of routes: the compiler accepts and refuses the same routes as Fastify, including HEAD twins. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import { compile } from '../../../compiler/index.ts'
import { temporaryFolder } from '../../support/folders.ts'
import '../../support/oracle-heads.ts'
import { root } from '../../support/root.ts'
import { runs } from '../../support/runs.ts'

interface Declared {
  readonly method: string | readonly string[]
  readonly url: string
  readonly exposeHeadRoute?: boolean
  readonly constraints?: Readonly<Record<string, string>>
  readonly prefixTrailingSlash?: string
  readonly websocket?: boolean
  /** It has a second handler, for WebSockets. */
  readonly hasSocket?: boolean
}

interface RouterRoute {
  readonly method: string
  readonly store: { readonly config: { readonly url: string } }
  readonly opts: { readonly constraints?: Readonly<Record<string, string>> }
}

interface Router {
  readonly routes: readonly RouterRoute[]
}

/** The routers of the instances of Fastify, in the order in which they got their first route. */
const routers = new Set<Router>()
const requireHere = createRequire(import.meta.url)
// Its types would change those of routes in all tests.
const websocket = requireHere('@fastify/websocket') as () => void
const requireOfFastify = createRequire(requireHere.resolve('fastify'))
const { prototype } = requireOfFastify('find-my-way') as { prototype: Router & { on: Function } }
const { on } = prototype
prototype.on = function (this: Router, ...args: unknown[]): unknown {
  routers.add(this)
  return Reflect.apply(on, this, args)
}

const folder = temporaryFolder({ after })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const route: fc.Arbitrary<Declared> = fc.record(
  {
    method: fc.constantFrom<Declared['method']>(
      ...(['GET', 'GET', 'GET', 'get', 'HEAD', 'POST'] as const),
      ['GET'],
      ['GET', 'POST'],
    ),
    url: fc.constantFrom(
      '/a',
      '/a/',
      '/b',
      '/:id',
      '/:name',
      '/a/:id',
      '/a/*',
      '*',
      '/*',
      '/:id(^\\d+$)',
      '/',
    ),
    exposeHeadRoute: fc.boolean(),
    constraints: fc.constantFrom({ version: '1.0.0' }, { host: 'example.org' }),
    prefixTrailingSlash: fc.constantFrom('both', 'slash', 'no-slash'),
  },
  { requiredKeys: ['method', 'url'] },
)

const socketRoute: fc.Arbitrary<Declared> = fc.record(
  {
    method: fc.constant('GET'),
    url: fc.constantFrom('/a', '/', '*', '/ws'),
    exposeHeadRoute: fc.boolean(),
    constraints: fc.constant({ host: 'example.org' }),
    prefixTrailingSlash: fc.constantFrom('slash', 'no-slash'),
    websocket: fc.constant(true),
    hasSocket: fc.constant(true),
  },
  { requiredKeys: ['method', 'url'] },
)

const anyRoute = fc.oneof({ weight: 4, arbitrary: route }, socketRoute)

const routes = fc.record({
  options: fc.record(
    {
      exposeHeadRoutes: fc.boolean(),
      ignoreTrailingSlash: fc.boolean(),
      ignoreDuplicateSlashes: fc.boolean(),
      caseSensitive: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  own: fc.array(anyRoute, { maxLength: 4 }),
  children: fc.uniqueArray(
    fc.record({
      prefix: fc.constantFrom('/p', '/p/', '/q//', '/:tenant'),
      inside: fc.array(anyRoute, { maxLength: 3 }),
    }),
    { maxLength: 3, selector: ({ prefix }) => prefix },
  ),
  later: fc.array(route, { maxLength: 2 }),
  /** All of it depends on a condition, which is true on Fastify. */
  isConditional: fc.boolean(),
})

test('the manifest lists the routes that Fastify has, with their HEAD twins; what Fastify refuses is a problem', async () => {
  let count = 0
  const property = fc.asyncProperty(routes, async (given) => {
    const file = join(folder, `app${count++}.js`)
    writeFileSync(file, sourceOf(given))
    const { artifact, diagnostics } = await compile({ entry: file, out: folder, boot: false })
    const found = artifact?.manifest.routes.map(({ method, url, constraints }) =>
      textOf(method, url, constraints),
    )
    assert.deepEqual(
      found ? found.sort() : [...new Set(diagnostics.map(({ code }) => code))],
      (await routesOfFastify(given)) ?? ['AOT_ROUTE_DUPLICATE'],
    )
  })
  await fc.assert(property, runs(60))
})

type Given = typeof routes extends fc.Arbitrary<infer One> ? One : never

function textOf(method: string, url: string, constraints: object = {}): string {
  return `${method} ${url} ${JSON.stringify(constraints)}`
}

function needsPlugin({ own, children }: Given): boolean {
  const all = [...own, ...children.flatMap(({ inside }) => inside)]
  return all.some((one) => one.websocket || one.hasSocket)
}

function sourceOf(given: Given): string {
  const { options, own, children, later, isConditional } = given
  const all = (name: string, list: readonly Declared[]): string =>
    list
      .map(({ hasSocket, ...one }) => {
        const socket = hasSocket ? ', wsHandler() {}' : ''
        return `  ${name}.route({ ...${JSON.stringify(one)}, handler() {}${socket} })`
      })
      .join('\n')
  return `import framework from 'framework'
${needsPlugin(given) ? "import websocket from '@fastify/websocket'" : ''}
export default async function build() {
  const app = framework(${JSON.stringify(options)})
  ${isConditional ? 'if (!process.env.DECLARED) return app' : ''}
  ${needsPlugin(given) ? 'await app.register(websocket)' : ''}
${all('app', own)}
${children
  .map(
    ({ prefix, inside }) => `  await app.register(async (child) => {
${all('child', inside)}
  }, { prefix: ${JSON.stringify(prefix)} })`,
  )
  .join('\n')}
${all('app', later)}
  return app
}
`
}

/** Returns the routes of Fastify's router; `undefined` when the application doesn't start. */
async function routesOfFastify(given: Given): Promise<string[] | undefined> {
  const { options, own, children, later } = given
  const app = fastify({ ...options })
  const declare = (instance: typeof app, list: readonly Declared[]): void => {
    for (const { hasSocket, ...one } of list) {
      const socket = hasSocket ? { wsHandler: () => {} } : {}
      instance.route({ ...one, handler: () => '', ...socket } as Parameters<typeof app.route>[0])
    }
  }
  routers.clear()
  try {
    if (needsPlugin(given)) await app.register(websocket)
    declare(app, own)
    for (const { prefix, inside } of children)
      await app.register(async (child) => declare(child as unknown as typeof app, inside), {
        prefix,
      })
    declare(app, later)
    await app.ready()
    return [...routers].flatMap(listed).sort()
  } catch (error) {
    assert.match(String(error), /already declared/)
    return undefined
  } finally {
    await app.close()
  }
}

/** Without the router of 404 handlers, which has all methods. */
function listed({ routes }: Router): string[] {
  const isForMissing = routes.some(({ method }) => method === 'TRACE')
  if (isForMissing) return []
  return routes.map(({ method, store, opts }) => textOf(method, store.config.url, opts.constraints))
}
