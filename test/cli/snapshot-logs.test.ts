/**
 * What a deployment logs that is started from a snapshot: the same as from its bundle. `npm run test:targets` runs all of it,
 * `npm test` a sample.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import { createWorkshop } from '../support/workshop.ts'

const node = nodeBinary('24')

const isWhole = process.env['TARGETS'] === 'all'
const sample = ['with options', 'to a stream of the process']

/** Factory options, as they are written. */
const loggers: Readonly<Record<string, string>> = {
  plain: 'logger: true',
  'with options': `logger: { level: 'debug', redact: ['user'], serializers: { user: (user) => user.toUpperCase() } }`,
  'to a stream of the process': 'logger: { stream: process.stdout }',
  'without lines of requests': 'logger: true, disableRequestLogging: true',
}

const source = (options: string): string => `import fastify from 'fastify'

export default function shop() {
  const app = fastify({ ${options} })
  app.log.warn({ user: 'ada' }, 'built')
  const early = app.log.child({ made: 'early' })
  const { stdout } = process
  app.get('/', async ({ log }) => {
    log.info('asked')
    early.info({ user: 'eve' }, 'told')
    return {}
  })
  app.get('/bindings', async ({ log }) => {
    log.setBindings({ of: 'this one' })
    log.info('bound')
    log.child({ c: 1 }).info('child')
    return app.log.bindings()
  })
  app.get('/quiet', { logLevel: 'error' }, async ({ log }) => {
    log.info('is not heard')
    log.level = 'trace'
    log.trace('is heard')
    return { level: app.log.level, isEnabled: app.log.isLevelEnabled('trace') }
  })
  app.get('/level', async () => {
    app.log.level = 'warn'
    stdout.write('{"msg":"written by itself"}\\n')
    console.log('{"msg":"printed"}')
    return { level: app.log.level, has: 'info' in app.log }
  })
  return app
}
`

const paths = ['/', '/bindings', '/quiet', '/', '/nowhere', '/level', '/', '/bindings']

describe('what a snapshot logs', () => {
  const shop = createWorkshop({ after }, 'deploy/post')

  async function heard(folder: string, flags: readonly string[]): Promise<object> {
    const server = await startFolder(folder, '/', { NODE_ENV: '' }, { node, flags })
    const answers: unknown[] = []
    for (const path of paths) {
      answers.push(await (await fetch(`http://127.0.0.1:${server.port}${path}`)).json())
    }
    assert.equal(await server.stop('SIGTERM'), 0)
    const lines = server.output().split('\n').map(timeless)
    // pino writes when it can: between its lines others may stand anywhere.
    const of = (start: string): string[] => lines.filter((line) => line.startsWith(start))
    return { answers, logged: byRequest(of('{"level"')), printed: of('{"msg"') }
  }

  for (const [name, options] of Object.entries(loggers)) {
    if (!isWhole && !sample.includes(name)) continue
    test(name, async () => {
      shop.write('shop.js', source(options))
      const arguments_ = ['shop.js', '--target', 'node', '--out', 'deployed', '--snapshot']
      const { status, stderr } = shop.framework('deploy', ...arguments_, '--node', node)
      assert.equal(status, 0, stderr)
      const folder = join(shop.folder, 'deployed')
      const expected = await heard(folder, [])
      const blob = join(folder, 'snapshot.blob')
      assert.deepEqual(await heard(folder, ['--snapshot-blob', blob]), expected)
    })
  }
})

/** That a response is over may be told after the next request has come. */
function byRequest(lines: readonly string[]): string[] {
  const idOf = (line: string): string => /"reqId":"([^"]+)"/.exec(line)?.[1] ?? ''
  return lines.toSorted((a, b) => idOf(a).localeCompare(idOf(b)))
}

/** A line as it stands, for a key may stand there twice, without what differs from process to process. */
function timeless(line: string): string {
  return line
    .replace(/"(time|pid|responseTime|remotePort)":[\d.]+/g, '"$1":0')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1')
}
