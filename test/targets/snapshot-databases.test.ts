/**
 * Clients of databases that are made before a snapshot is taken ask the real server when the application has been started from it:
 * `npm run test:targets`.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import type { DatabaseServer } from './database-servers.ts'
import { password, startMariadb, startPostgres, startRedis, user } from './database-servers.ts'
import { createPluginShop, deployPlugins } from './snapshot-shop.ts'
import type { SnapshotPlugin } from './snapshot-shop.ts'

interface Client {
  readonly name: string
  readonly start: () => Promise<DatabaseServer>
  /** A plugin that makes a pool and asks for what `answers` has. */
  plugin(options: string): SnapshotPlugin
  readonly answers: unknown
}

const numbers = [1, 2, 3, 4, 5, 6]
const sums = numbers.map((number) => number + 1)
/** More queries at once than the pool has connections. */
const sumsBy = (query: string): string =>
  `await Promise.all([${numbers}].map(async (n) => ${query}))`

const clients: readonly Client[] = [
  {
    name: 'pg',
    start: startPostgres,
    plugin: (options) => ({
      imports: `import pg from 'pg'`,
      code: `const pool = new pg.Pool({ ${options}, database: 'postgres', max: 2 })
  app.addHook('onClose', () => pool.end())
  app.get('/', async () => ({
    sums: ${sumsBy("(await pool.query('SELECT $1::int + 1 AS sum', [n])).rows[0].sum")},
    prepared: (await pool.query({ name: 'later', text: 'SELECT now() > $1 AS later', values: [new Date(0)] })).rows,
    error: await pool.query('SELECT * FROM nothing').catch(({ code }) => code),
  }))`,
    }),
    answers: { sums, prepared: [{ later: true }], error: '42P01' },
  },
  {
    name: 'postgres, loaded late',
    start: startPostgres,
    plugin: (options) => ({
      imports: `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
      code: `let made
  const connect = () => (made ??= require('postgres')({ ${options}, database: 'postgres', max: 2 }))
  app.addHook('onClose', () => made?.end())
  app.get('/', async () => {
    const sql = connect()
    return {
      sums: ${sumsBy('(await sql`SELECT ${n}::int + 1 AS sum`)[0].sum')},
      error: await sql\`SELECT * FROM nothing\`.catch(({ code }) => code),
    }
  })`,
    }),
    answers: { sums, error: '42P01' },
  },
  {
    name: 'mysql2',
    start: startMariadb,
    plugin: (options) => ({
      imports: `import mysql from 'mysql2/promise'`,
      code: `const pool = mysql.createPool({ ${options}, database: 'shop', connectionLimit: 2 })
  app.addHook('onClose', () => pool.end())
  app.get('/', async () => ({
    sums: ${sumsBy("(await pool.query('SELECT ? + 1 AS sum', [n]))[0][0].sum")},
    prepared: (await pool.execute('SELECT now() > ? AS later', [new Date(0)]))[0],
    error: await pool.query('SELECT * FROM nothing').catch(({ code }) => code),
  }))`,
    }),
    answers: { sums, prepared: [{ later: 1 }], error: 'ER_NO_SUCH_TABLE' },
  },
  {
    name: 'ioredis',
    start: startRedis,
    plugin: (options) => ({
      imports: `import Redis from 'ioredis'`,
      code: `const redis = new Redis({ ${options.replace(/user: \S+, /, '')}, lazyConnect: true })
  app.addHook('onClose', () => redis.quit())
  app.get('/', async () => {
    await redis.set('count', 0)
    return {
      sums: ${sumsBy("redis.incr('count').then((count) => count + 1)")},
      pipeline: await redis.pipeline().get('count').del('count').exec(),
      error: await redis.call('NOTHING').catch(({ name }) => name),
    }
  })`,
    }),
    answers: {
      sums,
      pipeline: [
        [null, '6'],
        [null, 1],
      ],
      error: 'ReplyError',
    },
  },
]

if (process.env['TARGETS'] === 'all') {
  const shop = createPluginShop({ after })
  const servers = new Map<Client['start'], DatabaseServer>()
  before(async () => {
    for (const start of new Set(clients.map((client) => client.start))) {
      servers.set(start, await start())
    }
  })
  after(() => Promise.all([...servers.values()].map((server) => server.stop())))

  for (const major of ['24', '26']) {
    test(`clients of databases ask real servers from a snapshot of Node ${major}`, async () => {
      const node = nodeBinary(major)
      const plugins = clients.map(({ start, plugin }) => {
        const { port } = servers.get(start) as DatabaseServer
        return plugin(`host: '127.0.0.1', port: ${port}, user: '${user}', password: '${password}'`)
      })
      const { status, stderr } = deployPlugins(shop, node, plugins)
      assert.equal(status, 0, stderr)
      const out = join(shop.folder, 'out')
      const flags = ['--snapshot-blob', join(out, 'snapshot.blob')]
      const server = await startFolder(out, shop.folder, { NODE_ENV: '' }, { node, flags })
      try {
        for (const [nth, { name, answers }] of clients.entries()) {
          const response = await fetch(`http://127.0.0.1:${server.port}/${nth}/`)
          assert.deepEqual(await response.json(), answers, name)
        }
        assert.doesNotMatch(server.output(), /FrameworkSnapshot/)
      } finally {
        // The connections are closed with the application.
        assert.equal(await server.stop('SIGTERM'), 0, server.output())
      }
    })
  }
}
