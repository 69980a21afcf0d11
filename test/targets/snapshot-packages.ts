/**
 * What becomes of packages in a start-up snapshot: each as its page shows it, in a plugin. Databases are asked where none listens: how
 * they say so, they say by their sockets. `snapshot-databases.test.ts` asks real ones.
 */

interface Package {
  readonly name: string
  readonly imports?: string
  /** The body of a plugin, with a route `/`. */
  readonly code: string
}

/** What that route answers. */
export interface TakenPackage extends Package {
  readonly answer: string
  /** Whether it is loaded when it is first needed, because it would be refused else. */
  readonly isLate?: boolean
}

export interface RefusedPackage extends Package {
  /** What runs while the application is built. */
  readonly refused: string
  readonly why: string
  readonly instead: string
  /** Whether it throws there, so that nothing is built after it. */
  readonly throws?: boolean
}

export const takenPackages: readonly TakenPackage[] = [
  {
    name: 'pino',
    code: `app.get('/', async ({ log }) => { log.info('asked'); return 'logged' })`,
    answer: 'logged',
  },
  {
    name: '@fastify/cors',
    imports: `import cors from '@fastify/cors'`,
    code: `await app.register(cors, { origin: 'http://shop.test' })
  app.get('/', async (request, reply) => String(reply.getHeader('access-control-allow-origin')))`,
    answer: 'http://shop.test',
  },
  {
    name: '@fastify/helmet',
    imports: `import helmet from '@fastify/helmet'`,
    code: `await app.register(helmet)
  app.get('/', async (request, reply) => String(reply.getHeader('x-frame-options')))`,
    answer: 'SAMEORIGIN',
  },
  {
    name: '@fastify/cookie',
    imports: `import cookie from '@fastify/cookie'`,
    code: `await app.register(cookie, { secret: 'a secret that is long enough for it' })
  app.get('/', async (request, reply) => reply.unsignCookie(reply.signCookie('signed')).value)`,
    answer: 'signed',
  },
  {
    name: '@fastify/sensible',
    imports: `import sensible from '@fastify/sensible'`,
    code: `await app.register(sensible)
  app.get('/', async () => app.httpErrors.notFound('gone').message)`,
    answer: 'gone',
  },
  {
    name: '@fastify/swagger',
    imports: `import swagger from '@fastify/swagger'`,
    code: `await app.register(swagger)
  app.get('/', { schema: { querystring: { type: 'object', properties: { count: { type: 'integer' } } } } }, async () => Object.values(app.swagger().paths)[0].get.parameters[0].name)`,
    answer: 'count',
  },
  {
    name: '@fastify/static',
    imports: `import { fileURLToPath } from 'node:url'
import files from '@fastify/static'`,
    code: `await app.register(files, { root: fileURLToPath(new URL('public', import.meta.url)) })`,
    answer: 'page',
  },
  {
    name: '@fastify/rate-limit',
    imports: `import limit from '@fastify/rate-limit'`,
    code: `await app.register(limit, { max: 2 })
  app.get('/', async (request, reply) => String(reply.getHeader('x-ratelimit-remaining')))`,
    answer: '1',
  },
  {
    name: '@fastify/formbody',
    imports: `import formbody from '@fastify/formbody'`,
    code: `await app.register(formbody)
  app.get('/', async () => String(app.hasContentTypeParser('application/x-www-form-urlencoded')))`,
    answer: 'true',
  },
  {
    name: '@fastify/compress',
    imports: `import compress from '@fastify/compress'`,
    code: `await app.register(compress, { threshold: 1 })
  app.get('/', async () => 'compressed')`,
    answer: 'compressed',
  },
  {
    name: '@fastify/csrf-protection',
    imports: `import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'`,
    code: `await app.register(cookie)
  await app.register(csrf)
  app.get('/', async (request, reply) => String(reply.generateCsrf().length > 10))`,
    answer: 'true',
  },
  {
    name: '@fastify/auth',
    imports: `import auth from '@fastify/auth'
import basic from '@fastify/basic-auth'
import bearer from '@fastify/bearer-auth'`,
    code: `await app.register(auth)
  await app.register(basic, { validate: async () => {} })
  await app.register(bearer, { keys: ['key'], addHook: false })
  app.get('/', { onRequest: app.auth([app.verifyBearerAuth]) }, async () => 'ok')`,
    answer:
      '{"statusCode":401,"code":"FST_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER","error":"Unauthorized","message":"missing authorization header"}',
  },
  {
    name: '@fastify/middie',
    imports: `import middie from '@fastify/middie'`,
    code: `await app.register(middie)
  app.use((request, response, next) => { request.own = 'own'; next() })
  app.get('/', async ({ raw }) => raw.own)`,
    answer: 'own',
  },
  {
    name: '@fastify/swagger-ui',
    imports: `import swagger from '@fastify/swagger'
import ui from '@fastify/swagger-ui'`,
    code: `await app.register(swagger)
  await app.register(ui, { routePrefix: '/ui' })
  app.get('/', async () => 'ok')`,
    answer: 'ok',
  },
  {
    name: 'zod',
    imports: `import { z } from 'zod'
const person = z.object({ name: z.string().min(2) })`,
    code: `app.get('/', async () => person.parse({ name: 'Ada' }).name)`,
    answer: 'Ada',
  },
  {
    name: '@sinclair/typebox',
    imports: `import { Type } from '@sinclair/typebox'`,
    code: `app.get('/', { schema: { querystring: Type.Object({ count: Type.Integer({ default: 3 }) }) } }, async ({ query }) => String(query.count))`,
    answer: '3',
  },
  {
    name: 'pg',
    imports: `import pg from 'pg'`,
    code: `const pool = new pg.Pool({ connectionString: 'postgres://ada:secret@127.0.0.1:1/shop' })
  app.get('/', async () => pool.query('SELECT 1').catch((error) => error.code))`,
    answer: 'ECONNREFUSED',
  },
  {
    name: 'mysql2',
    imports: `import mysql from 'mysql2/promise'`,
    code: `const pool = mysql.createPool({ host: '127.0.0.1', port: 1, user: 'ada' })
  app.get('/', async () => pool.query('SELECT 1').catch((error) => error.code))`,
    answer: 'ECONNREFUSED',
  },
  {
    name: 'ioredis',
    imports: `import Redis from 'ioredis'`,
    code: `const redis = new Redis({ host: '127.0.0.1', port: 1, lazyConnect: true })
  app.get('/', async () => redis.connect().catch((error) => error.message))`,
    answer: 'Connection is closed.',
  },
  {
    name: 'fetch',
    code: `app.get('/', async () => fetch('http://127.0.0.1:2').catch((error) => error.cause.code))`,
    answer: 'ECONNREFUSED',
  },
  {
    name: 'bcryptjs',
    imports: `import bcrypt from 'bcryptjs'`,
    code: `app.get('/', async () => String(await bcrypt.compare('a', await bcrypt.hash('a', 4))))`,
    answer: 'true',
  },
  {
    name: 'jsonwebtoken',
    imports: `import jwt from 'jsonwebtoken'`,
    code: `app.get('/', async () => jwt.verify(jwt.sign({ name: 'Ada' }, 'secret'), 'secret').name)`,
    answer: 'Ada',
  },
  {
    name: 'uuid',
    imports: `import { v4 } from 'uuid'`,
    code: `app.get('/', async () => String(v4().length))`,
    answer: '36',
  },
  {
    name: 'nanoid',
    imports: `import { nanoid } from 'nanoid'`,
    code: `app.get('/', async () => String(nanoid().length))`,
    answer: '21',
  },
  {
    name: 'mongodb',
    isLate: true,
    imports: `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
    code: `app.get('/', async () => { const { MongoClient } = require('mongodb'); const client = new MongoClient('mongodb://127.0.0.1:2/shop', { serverSelectionTimeoutMS: 200 }); return client.db().command({ ping: 1 }).catch((error) => error.name) })`,
    answer: 'MongoServerSelectionError',
  },
  {
    name: 'axios',
    isLate: true,
    imports: `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
    code: `app.get('/', async () => { return require('axios').get('http://127.0.0.1:2').catch((error) => error.code) })`,
    answer: 'ECONNREFUSED',
  },
  {
    name: 'undici',
    isLate: true,
    imports: `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
    code: `app.get('/', async () => { return require('undici').request('http://127.0.0.1:2').catch((error) => error.code) })`,
    answer: 'ECONNREFUSED',
  },
  {
    name: 'postgres',
    isLate: true,
    imports: `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
    code: `app.get('/', async () => { const sql = require('postgres')('postgres://ada:secret@127.0.0.1:2/shop'); return sql\`SELECT 1\`.catch((error) => error.code) })`,
    answer: 'ECONNREFUSED',
  },
]

export const refusedPackages: readonly RefusedPackage[] = [
  {
    name: '`@fastify/jwt`',
    imports: `import jwt from '@fastify/jwt'`,
    code: `await app.register(jwt, { secret: 'a secret that is long enough for it' })
  app.get('/', async () => app.jwt.verify(app.jwt.sign({ name: 'Ada' })).name)`,
    refused: 'crypto.createSecretKey()',
    why: 'It makes keys when it is registered.',
    instead: 'Take `jsonwebtoken`.',
  },
  {
    name: '`@fastify/multipart`',
    imports: `import multipart from '@fastify/multipart'`,
    code: `await app.register(multipart)
  app.get('/', async () => 'ok')`,
    refused: 'Math.random()',
    why: 'It draws the beginning of the names of temporary files, which two processes must not share.',
    instead: 'Deploy without `--snapshot`.',
  },
  {
    name: '`@fastify/under-pressure`',
    imports: `import pressure from '@fastify/under-pressure'`,
    code: `await app.register(pressure, { maxEventLoopDelay: 1000 })`,
    refused: 'perf_hooks.monitorEventLoopDelay()',
    why: 'It measures the event loop from when it is registered.',
    instead: 'Deploy without `--snapshot`.',
  },
  {
    name: '`@fastify/websocket`',
    imports: `import websocket from '@fastify/websocket'`,
    code: `await app.register(websocket)`,
    refused: 'http.createServer',
    why: 'It asks for the server when it is registered.',
    instead: 'Deploy without `--snapshot`.',
    throws: true,
  },
  {
    name: '`dotenv`',
    imports: `import 'dotenv/config'`,
    code: `app.get('/', async () => process.env.GREETING)`,
    refused: 'fs.readFileSync(',
    why: 'It reads `.env`, which is not part of the deployment.',
    instead: 'Start with `node --env-file`, or let the platform set variables.',
  },
  {
    name: '`postgres`',
    imports: `import postgres from 'postgres'`,
    code: `const sql = postgres('postgres://ada:secret@127.0.0.1:1/shop')
  app.get('/', async () => sql\`SELECT 1\`.catch((error) => error.code))`,
    refused: 'Math.random()',
    why: 'It draws names when it is called.',
    instead: 'Load it when it is first needed, by `createRequire`.',
  },
  {
    name: '`mongodb`',
    imports: `import { MongoClient } from 'mongodb'`,
    code: `const client = new MongoClient('mongodb://127.0.0.1:1/shop', { serverSelectionTimeoutMS: 200 })
  app.get('/', async () => client.db().command({ ping: 1 }).catch((error) => error.name))`,
    refused: 'Math.random()',
    why: 'It draws where its ids begin, and looks at files of the system.',
    instead: 'Load it when it is first needed, by `createRequire`.',
  },
  {
    name: '`undici`',
    imports: `import { request } from 'undici'`,
    code: `app.get('/', async () => request('http://127.0.0.1:1').catch((error) => error.code))`,
    refused: 'http.maxHeaderSize',
    why: 'It asks `node:http` for its limits when it is loaded.',
    instead: 'Use the global `fetch`, or load it when it is first needed, by `createRequire`.',
    throws: true,
  },
  {
    name: '`axios`',
    imports: `import axios from 'axios'`,
    code: `app.get('/', async () => axios.get('http://127.0.0.1:2').catch((error) => error.code))`,
    refused: 'new FinalizationRegistry()',
    why: 'It makes what Node keeps in no snapshot when it is loaded.',
    instead: 'Load it when it is first needed, by `createRequire`.',
  },
  {
    name: '`pino`, made by the application',
    imports: `import pino from 'pino'
const logger = pino()`,
    code: `app.get('/', async () => { logger.info('x'); return 'ok' })`,
    refused: 'process.pid',
    why: 'It holds the process, the host and the time.',
    instead: 'Give its options to the factory: `fastify({ logger: { level: … } })`.',
  },
]

/** Those that are not among the development dependencies. */
export const foreign: Readonly<Record<string, string>> = {
  axios: '1.21.1',
  bcryptjs: '3.0.3',
  dotenv: '18.0.10',
  ioredis: '6.0.0',
  jsonwebtoken: '9.0.3',
  mongodb: '7.9.0',
  mysql2: '3.24.6',
  nanoid: '6.0.2',
  pg: '8.23.1',
  postgres: '3.4.9',
  undici: '8.12.4',
  uuid: '14.0.3',
}
