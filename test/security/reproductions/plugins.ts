import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import middie from '@fastify/middie'
import statics, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Reproduction } from '../reproduction.ts'

/** Spellings of a path that plugins and the router read differently. `docs/reference/security.md` shows the hook. */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|;|%(?:2[def]|3[\db]|[46][1-9a-f]|5[\dacf]|7[\dae])/i

function refuseAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const [path = ''] = raw.url?.split('?') ?? []
    if (AMBIGUOUS.test(path)) return reply.code(400).send('refused')
  })
}

function serveFiles(app: FastifyInstance, options: Partial<FastifyStaticOptions>): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-security-'))
  const root = join(folder, 'root')
  for (const name of ['private', 'open']) mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'private/a.txt'), 'secret')
  writeFileSync(join(folder, 'outside.txt'), 'outside')
  void app.register(statics, { root, prefix: '/files/', ...options })
  return folder
}

interface Attack {
  readonly advisory: string
  readonly what: string
  readonly url: string
  prepare(app: FastifyInstance): void
  /** The answers without and with the hook. */
  readonly seen: readonly [string, string]
}

const attacks: readonly Attack[] = [
  ...['/files/open/../private/a.txt', '/files//private/a.txt', '/files/private%2Fa.txt'].map(
    (url): Attack => ({
      advisory: 'GHSA-83w8-p2f5-377r',
      what: `@fastify/static serves ${url} past the hooks of a route /files/private/*`,
      url,
      prepare(app) {
        serveFiles(app, {})
        app.get('/files/private/*', (_request, reply) => void reply.code(403).send('denied'))
      },
      seen: ['200 secret', '400 refused'],
    }),
  ),
  {
    advisory: 'GHSA-8pvw-jcv7-9cmj',
    what: '`allowedPath` of @fastify/static gets other spellings of a path than it serves',
    url: '/files//private/a.txt',
    prepare: (app) =>
      void serveFiles(app, { allowedPath: (path) => !path.startsWith('/private/') }),
    seen: ['200 secret', '400 refused'],
  },
  {
    advisory: 'CVE-2026-22037',
    what: 'middleware of @fastify/middie or @fastify/express for `/admin` skips `/%61dmin`',
    url: '/%61dmin',
    prepare(app) {
      void app.register(middie)
      app.get('/admin', async () => 'secret')
      app.addHook('onReady', async () => {
        app.use('/admin', (_request, response) => response.writeHead(403).end('denied'))
      })
    },
    seen: ['200 secret', '400 refused'],
  },
  {
    advisory: 'GHSA-pr96-94w5-mx2h',
    what: '`list` of @fastify/static 8 lists folders outside of the root; release 7 does not',
    url: '/files/../',
    prepare: (app) => void serveFiles(app, { list: true, index: false }),
    seen: ['404', '400 refused'],
  },
]

/** Holes of plugins, which are open on Fastify as well. */
export const plugins: readonly Reproduction[] = attacks.map(
  ({ advisory, what, url, prepare, seen }) => ({
    advisory,
    what,
    async attack({ create, exchange, note }) {
      for (const isCareful of [false, true]) {
        const app = create()
        if (isCareful) refuseAmbiguous(app)
        prepare(app)
        const answer = await exchange(app, `GET ${url} HTTP/1.1`, 'host: a', 'connection: close')
        const [head = '', body = ''] = answer.split('\r\n\r\n')
        note([head.split(' ')[1], body].join(' '))
      }
    },
    fastify: seen,
    framework: 'same',
  }),
)
