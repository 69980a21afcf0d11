import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import middie from '@fastify/middie'
import statics, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder, thisProcess } from '../../support/folders.ts'
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
  const folder = temporaryFolder(thisProcess)
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
  ...(
    [
      ['GHSA-83w8-p2f5-377r', '/files/open/../private/a.txt'],
      ['GHSA-423g-23ch-w7c6', '/files//private/a.txt'],
      ['GHSA-x428-ghpx-8j92', '/files/private%2Fa.txt'],
    ] as const
  ).map(([advisory, url]): Attack => ({
    advisory,
    what: `@fastify/static serves \`${url}\` past the handler of \`/files/private/*\``,
    url,
    prepare(app) {
      serveFiles(app, {})
      app.get('/files/private/*', (_request, reply) => void reply.code(403).send('denied'))
    },
    seen: ['200 secret', '400 refused'],
  })),
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
        app.use('/admin', (_request: unknown, response: ServerResponse) =>
          response.writeHead(403).end('denied'),
        )
      })
    },
    seen: ['200 secret', '400 refused'],
  },
  {
    advisory: 'GHSA-pr96-94w5-mx2h',
    what: '`list` of @fastify/static 8 lists folders outside of the root; release 7 does not',
    url: '/files/../',
    prepare: (app) => void serveFiles(app, { list: true, index: false }),
    seen: ['403 denied', '400 refused'],
  },
]

/** Vulnerabilities of plugins, which exist on Fastify as well. */
export const plugins: readonly Reproduction[] = attacks.map(
  ({ advisory, what, url, prepare, seen }) => ({
    advisory,
    what,
    async attack({ create, note }) {
      for (const isCareful of [false, true]) {
        const app = create()
        if (isCareful) refuseAmbiguous(app)
        prepare(app)
        await app.listen({ port: 0, host: '127.0.0.1' })
        const { port } = app.server.address() as AddressInfo
        // The paths are sent as they are.
        const request = get({ port, path: url, agent: false })
        const [answer] = (await once(request, 'response')) as [IncomingMessage]
        const body = await text(answer)
        note(`${answer.statusCode} ${answer.statusCode === 403 ? 'denied' : body}`)
      }
    },
    framework: seen,
  }),
)
