/** Plugins for Fastify 4 in the real workerd do what they do on Fastify 4.21. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { bundleWorker } from '../../../support/bundle-worker.ts'
import { serveWorker } from '../../../support/workerd.ts'

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const fixture = join(root, 'fixtures/workers/plugins.js')

const parts = [
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text',
  '--b\r\ncontent-disposition: form-data; name="field"\r\n\r\nvalue',
  '--b--\r\n',
].join('\r\n')

const basic = (user: string): string => `Basic ${Buffer.from(`${user}:secret`).toString('base64')}`

const token = signed({ name: 'ann', iat: 1 }, 'a secret')

const asked: readonly Asked[] = [
  { path: '/auth' },
  { path: '/auth/none' },
  { path: '/basic-auth' },
  { path: '/basic-auth', headers: { authorization: basic('ann') } },
  { path: '/basic-auth', headers: { authorization: basic('bob') } },
  { path: '/bearer-auth' },
  { path: '/bearer-auth', headers: { authorization: 'Bearer key' } },
  { path: '/compress', headers: { 'accept-encoding': 'gzip' } },
  { path: '/compress', headers: { 'accept-encoding': 'identity' } },
  { path: '/cookie', headers: { cookie: 'a=1; b=two%20words' } },
  { path: '/cors', headers: { origin: 'http://a.test' } },
  { path: '/cors', headers: { origin: 'http://b.test' } },
  {
    path: '/cors',
    method: 'OPTIONS',
    headers: { origin: 'http://a.test', 'access-control-request-method': 'GET' },
  },
  {
    path: '/formbody',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1&b=two+words&b=3',
  },
  { path: '/helmet' },
  { path: '/jwt' },
  { path: '/jwt/own' },
  { path: '/jwt/own', headers: { authorization: `Bearer ${token}` } },
  { path: '/jwt/own', headers: { authorization: `Bearer ${signed({ iat: 1 }, 'another')}` } },
  { path: '/middie' },
  {
    path: '/multipart',
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: parts,
  },
  { path: '/rate-limit' },
  { path: '/rate-limit' },
  { path: '/sensible' },
  { path: '/swagger' },
]

const source = `
import framework from 'framework'
import { toFetch } from 'framework/fetch'
import plugins from ${JSON.stringify(fixture)}

// Some plugins ask for random numbers when they are loaded, which workerd gives in a request alone.
export default { fetch: toFetch(plugins(framework)) }
`

test('plugins in workerd answer as on fastify@4.21', async () => {
  const { default: plugins } = (await import(pathToFileURL(fixture).href)) as {
    default(factory: typeof fastify): FastifyInstance
  }
  const oracle = plugins(fastify)
  const { port, stop } = await serveWorker(await bundleWorker(source))
  try {
    for (const one of asked) {
      const expected = await inject(oracle, one)
      assert.deepEqual(await send(port, one), expected, JSON.stringify(one))
    }
  } finally {
    await stop()
    await oracle.close()
  }
})

test('docs/guide/workers.md names the plugins that are asked', () => {
  const page = readFileSync(join(root, 'docs/guide/workers.md'), 'utf8')
  const names = new Set(asked.map(({ path }) => path.split('/')[1]))
  for (const name of names) assert.ok(page.includes(`\`@fastify/${name}\``), name)
})

function signed(claims: object, secret: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

async function inject(app: FastifyInstance, { path, ...request }: Asked): Promise<Answered> {
  const { statusCode, headers, rawPayload } = await app.inject({
    url: path,
    method: (request.method ?? 'GET') as 'GET',
    headers: { 'accept-encoding': 'identity', ...request.headers },
    ...(request.body === undefined ? {} : { payload: request.body }),
  })
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return { status: statusCode, headers: withoutTransport(statusCode, lines), body: body.toString() }
}

async function send(port: number, { path, ...request }: Asked): Promise<Answered> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: { 'accept-encoding': 'identity', ...request.headers },
  })
  return {
    status: answer.status,
    headers: withoutTransport(answer.status, [...answer.headers]),
    body: await answer.text(),
  }
}

/** Without what each server has of its own; a 204 has no length in workerd. */
function withoutTransport(
  status: number,
  headers: readonly (readonly [string, string])[],
): string[] {
  const transport = ['connection', 'date', 'keep-alive', 'transfer-encoding']
  if (status === 204) transport.push('content-length')
  return headers
    .filter(([name]) => !transport.includes(name))
    .map((header) => header.join(': '))
    .sort()
}
