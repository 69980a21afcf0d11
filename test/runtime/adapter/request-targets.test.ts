/** Request targets and hosts of every spelling lead to the same route as on Fastify, or are refused as there. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { factoriesFor } from '../../support/differential.ts'
import { runs } from '../../support/runs.ts'
import { sendRaw, takeAnswer } from '../../support/wire.ts'

interface Target {
  readonly method: string
  readonly target: string
  readonly host: string
  readonly version: string
}

const words = (text: string): fc.Arbitrary<string> => fc.constantFrom(...text.split(' '))
const piece = fc.oneof(
  words('/ // /x /admin/ /admin/ /files/ x .. . : @ % %2f %5c %00 %zz %3f %61dmin ? # ; & = [ ]'),
  words('evil a.test a.test/admin/ [::1] u:p@evil :80 :99999 :0 :x'),
  fc.constantFrom('\\', '\t', ' ', '\x01', '\xe4', "'", '"', '{'),
)
const start = words(
  '/ / // http:// http:// https:// HTTPS://a.test http:/ http: ftp:// x:// * \\\\',
)
const target: fc.Arbitrary<Target> = fc.record({
  method: words('GET GET GET HEAD POST OPTIONS CONNECT'),
  target: fc
    .tuple(start, fc.array(piece, { maxLength: 5 }))
    .map(([first, rest]) => first + rest.join('')),
  host: words(
    'a.test a.test admin.test ADMIN.test evil:99999 a:b [ [::1] a/b x/admin/secret? u@a a,b',
  ),
  version: words('1.1 1.1 1.1 1.0'),
})

const named: readonly string[] = [
  'https://evil:99999/x',
  'ftp://e/x',
  'http://[/x',
  'http:///x',
  'http://a.test/x#y',
  'http://evil/admin/secret',
  'http://evil?/admin/secret',
  '//admin/secret',
]

/** Answers with everything that guards depend on. */
function declare(app: FastifyInstance): void {
  const describe =
    (route: string) =>
    ({ params, query, hostname, headers }: FastifyRequest): object => {
      return { route, params, query, hostname, host: headers.host }
    }
  const methods: HTTPMethods[] = ['GET', 'POST', 'OPTIONS']
  for (const url of ['/', '/x', '/files/*', '/:one', '/*'])
    app.route({ method: methods, url, handler: describe(url) })
  app.get('/x', { constraints: { host: 'admin.test' } }, describe('host'))
  app.register(
    async (guarded) => {
      guarded.addHook('onRequest', async (_request, reply) => reply.code(401).send('guard'))
      guarded.route({ method: methods, url: '/*', handler: describe('admin') })
    },
    { prefix: '/admin' },
  )
}

/**
 * Ends the host as in find-my-way 9.9, with the first slash or question mark. find-my-way 7 takes a path from the query, and
 * knows schemes in lower case only.
 */
const withPath = ({ target, ...rest }: Target): Target => ({
  ...rest,
  target: target.replace(
    /^(https?:\/\/[^/?# ]*)(?:\/|(?=[? ]|$))/i,
    (_, host: string) => `${host.toLowerCase()}/`,
  ),
})

/** Status and body of the answer, or the bytes that the server wrote without one. */
async function answerOf(app: FastifyInstance, request: Target): Promise<readonly unknown[]> {
  const { method, host, version } = request
  const head = `${method} ${request.target} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const received = await sendRaw((app.server.address() as AddressInfo).port, head)
  const found = takeAnswer(received, method, true)
  if (!found) return [received]
  const { status, body } = found.answer
  // Fastify 4.21 doesn't escape the URL in the error.
  return [status, status === 400 ? /"code":"\w+"/.exec(body)?.[0] : body]
}

for (const [name, subjects, corrected] of [
  ['4.21', {}, withPath],
  ['5', { line: 5 }, (request: Target): Target => request],
] as const) {
  test(`targets lead where they do on Fastify ${name}`, async (t) => {
    const factories = factoriesFor(subjects)
    const [ours, theirs] = [factories.ours(), factories.theirs()]
    for (const app of [ours, theirs]) {
      declare(app)
      await app.listen({ port: 0, host: '127.0.0.1' })
      t.after(() => app.close())
    }
    const outcomes = new Map<unknown, number>()
    const isSame = async (request: Target): Promise<void> => {
      const [actual, expected] = await Promise.all([
        answerOf(ours, request),
        answerOf(theirs, corrected(request)),
      ])
      assert.deepEqual(actual, expected)
      const [status] = expected
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
    }
    for (const one of named)
      await isSame({ method: 'GET', target: one, host: 'a.test', version: '1.1' })
    await fc.assert(fc.asyncProperty(target, isSame), runs(600))
    for (const status of [200, 400, 401])
      assert.ok((outcomes.get(status) ?? 0) > 5, `${status}: ${JSON.stringify([...outcomes])}`)
  })
}
