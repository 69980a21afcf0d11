/** Which routes there are, HEAD twins included, and which are refused: as Fastify has it, for random lists of routes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import fastify from 'fastify'
import { compile } from '../../../compiler/index.ts'
import { runs } from '../../support/runs.ts'

interface Declared {
  readonly method: string | readonly string[]
  readonly url: string
  readonly exposeHeadRoute?: boolean
  readonly constraints?: Readonly<Record<string, string>>
  readonly prefixTrailingSlash?: string
}

const folder = mkdtempSync(join(tmpdir(), 'framework-declared-'))
after(() => rmSync(folder, { recursive: true }))

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

/** The twin of `/p//` is `/p/`, which has no line of its own in the manifest. */
const isListed = ({
  inside,
  prefix,
}: {
  readonly inside: readonly Declared[]
  readonly prefix: string
}): boolean =>
  prefix !== '/p/' ||
  inside.every(
    ({ url, constraints, prefixTrailingSlash }) =>
      url !== '/' || (constraints === undefined && prefixTrailingSlash !== 'slash'),
  )

const routes = fc
  .record({
    options: fc.record(
      {
        exposeHeadRoutes: fc.boolean(),
        ignoreTrailingSlash: fc.boolean(),
        ignoreDuplicateSlashes: fc.boolean(),
        caseSensitive: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    own: fc.array(route, { maxLength: 5 }),
    inside: fc.array(route, { maxLength: 4 }),
    later: fc.array(route, { maxLength: 2 }),
    prefix: fc.constantFrom('/p', '/p/', '/:tenant'),
  })
  .filter(isListed)

test('the manifest lists the HEAD routes that Fastify has; what Fastify refuses is a problem', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(routes, async (given) => {
      const file = join(folder, `app${count++}.js`)
      writeFileSync(file, sourceOf(given))
      const { artifact, diagnostics } = await compile({ entry: file, out: folder })
      const found = artifact?.manifest.routes.filter(({ method }) => method === 'HEAD')
      const expected = await heads(given)
      assert.deepEqual(
        found
          ? found.map(({ url }) => url).sort()
          : [...new Set(diagnostics.map(({ code }) => code))],
        expected ?? ['AOT_ROUTE_DUPLICATE'],
      )
    }),
    runs(150),
  )
})

type Given = typeof routes extends fc.Arbitrary<infer One> ? One : never

function sourceOf({ options, own, inside, later, prefix }: Given): string {
  const all = (name: string, list: readonly Declared[]): string =>
    list.map((one) => `  ${name}.route({ ...${JSON.stringify(one)}, handler() {} })`).join('\n')
  return `import framework from 'framework'
export default async function build() {
  const app = framework(${JSON.stringify(options)})
${all('app', own)}
  await app.register(async (child) => {
${all('child', inside)}
  }, { prefix: ${JSON.stringify(prefix)} })
${all('app', later)}
  return app
}
`
}

/** The URLs of all HEAD routes, one for each set of constraints; `undefined` when the application does not start. */
async function heads({
  options,
  own,
  inside,
  later,
  prefix,
}: Given): Promise<string[] | undefined> {
  const app = fastify({ ...options })
  // By what tells routes apart: hooks are shown twins that the router then refuses.
  const found = new Map<string, string>()
  app.addHook('onRoute', ({ method, url, constraints }) => {
    if ([method].flat().includes('HEAD')) found.set(JSON.stringify([url, constraints ?? {}]), url)
  })
  const declare = (instance: typeof app, list: readonly Declared[]): void => {
    for (const one of list) {
      instance.route({ ...one, handler: () => '' } as Parameters<typeof app.route>[0])
    }
  }
  try {
    declare(app, own)
    await app.register(async (child) => declare(child as unknown as typeof app, inside), { prefix })
    declare(app, later)
    await app.ready()
    return [...found.values()].sort()
  } catch (error) {
    assert.match(String(error), /already declared/)
    return undefined
  } finally {
    await app.close()
  }
}
