import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer as createNodeServer, get, type IncomingMessage, type Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import { createHttpVersionTest } from '../../../runtime/adapter/create-server.ts'
import framework5 from '../../../runtime/5.ts'
import framework from '../../../runtime/index.ts'

type Factory = (options?: object) => FastifyInstance
/** `listen` with any arguments. */
type Listen = (...args: unknown[]) => unknown

const oracle = fastify as unknown as Factory
const ours = framework as unknown as Factory
const lines = { 4: [oracle, ours], 5: [fastify5, framework5] as unknown as [Factory, Factory] }

interface Scenario {
  readonly options?: object
  /** Prepares the application; the returned servers are closed at the end. */
  prepare?(app: FastifyInstance): unknown
  run(listen: Listen, app: FastifyInstance): unknown
}

const withoutPort = (text: string): string => text.replaceAll(/\d{4,}/g, 'PORT')

async function observe(factory: Factory, scenario: Scenario) {
  const lines: unknown[] = []
  const warnings: unknown[] = []
  const onWarning = ({ code = '' }: Error & { code?: string }): void => {
    // Node emits its own warning only once.
    if (code.startsWith('FST')) warnings.push(code)
  }
  process.on('warning', onWarning)
  const write = (line: string): void =>
    void lines.push(withoutPort((JSON.parse(line) as { msg: string }).msg))
  const app = factory({ logger: { stream: { write } }, ...scenario.options })
  scenario.prepare?.(app)
  const outcome = await outcomeOf(() => scenario.run(app.listen.bind(app) as Listen, app))
  await new Promise((resolve) => setImmediate(resolve))
  const { listening: isListening } = app.server
  const addresses = app.addresses().map((address) => {
    return typeof address === 'string' ? address : (address as AddressInfo).address
  })
  const origin = isListening ? withoutPort(app.listeningOrigin) : undefined
  await app.close()
  process.off('warning', onWarning)
  return { outcome, lines, addresses, origin, isListening, warnings }
}

async function outcomeOf(action: () => unknown): Promise<unknown> {
  try {
    const value = await action()
    return typeof value === 'string' ? withoutPort(value) : value
  } catch (error) {
    const { code, message, name } = error as Error & { code?: string }
    return { code, message: withoutPort(message), name }
  }
}

/** Resolves with the arguments of the callback, which is the last argument of `listen`. */
const called = (listen: Listen, ...args: unknown[]): Promise<unknown> =>
  new Promise((resolve) => {
    const returned = listen(...args, (...given: unknown[]) => {
      resolve(given.map((value) => withoutPort(String(value))))
    })
    assert.equal(returned, undefined)
  })

const bothWays = async (listen: Listen, options: object): Promise<unknown[]> => [
  await outcomeOf(() => listen(options)),
  await called(listen, options),
]

const suffix = Math.random().toString(36).slice(2)
const path = join(tmpdir(), `framework-listen-${process.pid}-${suffix}.sock`)

class Settings {
  readonly backlog = 511
  get path(): string {
    return path
  }
  toJSON(): object {
    return { path }
  }
}

const onPort = { run: (listen: Listen) => listen({ port: 0 }) }
const onPortCalled = { run: (listen: Listen) => called(listen, { port: 0 }) }
const brokenPlugin = (app: FastifyInstance): unknown =>
  app.register(async () => Promise.reject(new Error('broken plugin')))
const ownServer = {
  serverFactory: (handler: (...args: unknown[]) => void): Server => createNodeServer(handler),
}

const scenarios: Record<string, Scenario> = {
  'no arguments': { run: (listen) => listen() },
  'any port': onPort,
  'any port and a callback': onPortCalled,
  'a stringified port': { run: (listen) => listen({ port: '0', host: '127.0.0.1' }) },
  'an IPv4 address': { run: (listen) => listen({ port: 0, host: '127.0.0.1' }) },
  'an IPv6 address': { run: (listen) => called(listen, { port: 0, host: '::1' }) },
  'all addresses': { run: (listen) => listen({ port: 0, host: '0.0.0.0' }) },
  'no host': { run: (listen) => listen({ port: 0, host: undefined }) },
  'a path': { run: (listen) => listen({ path }) },
  'a path and a callback': { run: (listen) => called(listen, { path }) },
  'a text of its own': {
    run: (listen) => listen({ port: 0, listenTextResolver: (url: string) => `at ${url}` }),
  },
  'a port that is none': { run: (listen) => listen({ port: 'hello' }) },
  'a host that is none': { run: (listen) => listen({ port: 0, host: '256.256.256.256' }) },
  'a host that is none and a callback': {
    run: (listen) => called(listen, { port: 0, host: '256.256.256.256' }),
  },
  'a number': { run: (listen) => listen(0) },
  'a number and a callback': { run: (listen) => called(listen, 0) },
  'true and a callback': { run: (listen) => called(listen, true) },
  'a number and a host': { run: (listen) => listen(0, '127.0.0.1') },
  'a number, a host and a backlog': { run: (listen) => called(listen, 0, '127.0.0.1', 511) },
  undefined: { run: (listen) => listen(undefined) },
  'a text with a number': { run: (listen) => called(listen, '0') },
  'a negative number': { run: (listen) => listen('-1') },
  'a text as path': { run: (listen) => listen(path) },
  'a text as path and a backlog': { run: (listen) => called(listen, path, 511) },
  'settings that are inherited': { run: (listen) => listen(Object.create({ path })) },
  'settings of a class': { run: (listen) => listen(new Settings()) },
  twice: {
    run: async (listen) => {
      await listen({ port: 0 })
      return bothWays(listen, { port: 0 })
    },
  },
  'again after close': {
    run: async (listen, app) => {
      await listen({ port: 0 })
      await app.close()
      return bothWays(listen, { port: 0 })
    },
  },
  'a port in use': {
    run: async (listen) => {
      const other = createNodeServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const refused = await bothWays(listen, { port, host: '127.0.0.1' })
      other.close()
      return [refused, await outcomeOf(() => listen({ port: 0, host: '127.0.0.1' }))]
    },
  },
  'a plugin that fails': { prepare: brokenPlugin, ...onPort },
  'a plugin that fails, with a callback': { prepare: brokenPlugin, ...onPortCalled },
  'an invalid signal': { run: (listen) => listen({ port: 0, signal: {} }) },
  'a signal that is aborted later': {
    run: async (listen, app) => {
      const controller = new AbortController()
      await listen({ port: 0, signal: controller.signal })
      controller.abort()
      await once(app.server, 'close')
      return app.server.listening
    },
  },
  'a signal that was aborted': {
    run: async (listen, app) => {
      let isCalled = false
      listen({ port: 0, signal: AbortSignal.abort() }, () => {
        isCalled = true
      })
      await app.close()
      return isCalled
    },
  },
  'a server of its own': { options: ownServer, ...onPort },
  'HTTP/2': { options: { http2: true }, ...onPort },
}

/** Arguments that Fastify 5 doesn't accept. */
const scenariosOf4: Record<string, Scenario> = {
  null: { run: (listen) => listen(null) },
  'an object and a backlog': { run: (listen) => called(listen, { path }, 511) },
  'an object, a host and a backlog': {
    run: (listen) => called(listen, { port: 0, host: '127.0.0.1' }, 511, 'x'),
  },
  'a function': { run: (listen) => listen(() => undefined) },
  'a function with settings': { run: (listen) => listen(Object.assign(() => undefined, { path })) },
  'an async function': {
    run: (listen) => new Promise((resolve) => listen(async (error: unknown) => resolve(error))),
  },
}

for (const [line, [theirs, our]] of Object.entries(lines)) {
  for (const [what, scenario] of Object.entries({
    ...scenarios,
    ...(line === '4' && scenariosOf4),
  })) {
    test(`listen, given ${what}, behaves like Fastify ${line}`, async () => {
      const expected = await observe(theirs as Factory, scenario)
      // From Node 26 on, Fastify listens and then fails to look up a host that is `undefined`.
      if ((expected.outcome as Error | undefined)?.message?.includes("argument 'hostname'"))
        expected.outcome = expected.origin
      assert.deepEqual(await observe(our as Factory, scenario), expected)
    })
  }
}

/** Makes `localhost` resolve to these addresses, whatever the settings of the machine are. */
function withLocalhost(t: TestContext, addresses: string[]): void {
  const original = dns.lookup
  t.after(() => {
    dns.lookup = original
  })
  const list = addresses.map((address) => ({ address, family: 4 }))
  const lookup = (host: string, ...rest: unknown[]): unknown => {
    const [options, callback] = rest as [{ all?: boolean }, (...args: unknown[]) => void]
    if (host === 'localhost' && options.all) return process.nextTick(callback, null, list)
    return Reflect.apply(original, dns, [host, ...rest])
  }
  dns.lookup = lookup as typeof dns.lookup
}

const twoAddresses: Record<string, string[]> = {
  'has two addresses': ['127.0.0.1', '127.0.0.2'],
  'has an address that cannot be listened on': ['127.0.0.1', '192.0.2.1', '127.0.0.3'],
  'has one address': ['127.0.0.1'],
}
const onLocalhost: Record<string, Scenario> = {
  'by promise': onPort,
  'by callback': { run: (listen) => called(listen, { port: 0, host: 'localhost' }) },
  'closing idle connections': { options: { forceCloseConnections: 'idle' }, ...onPort },
  'closing all connections': { options: { forceCloseConnections: true }, ...onPortCalled },
  twice: {
    run: async (listen) => {
      const listenOnce = (): unknown => listen({ port: 0 })
      return [await outcomeOf(listenOnce), await outcomeOf(listenOnce)]
    },
  },
  'with a server of its own': { options: ownServer, ...onPort },
}

for (const [line, [theirs, our]] of Object.entries(lines)) {
  for (const [what, addresses] of Object.entries(twoAddresses)) {
    for (const [how, scenario] of Object.entries(onLocalhost)) {
      test(`listen ${how}, where localhost ${what}, behaves like Fastify ${line}`, async (t) => {
        withLocalhost(t, addresses)
        const expected = await observe(theirs as Factory, scenario)
        assert.deepEqual(await observe(our as Factory, scenario), expected)
      })
    }
  }
}

test('every address of localhost answers and upgrades, and none after close', async (t) => {
  withLocalhost(t, ['127.0.0.1', '127.0.0.2'])
  const app = ours()
  app.get('/', async () => 'hello')
  let upgrades = 0
  app.server.on('upgrade', (_raw, socket) => {
    upgrades++
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  })
  await app.listen({ port: 0 })
  const urls = app.addresses().map((address) => {
    const { address: ip, port } = address as AddressInfo
    return `http://${ip}:${port}/`
  })
  assert.equal(urls.length, 2)
  const statusOf = (url: string): Promise<unknown> =>
    outcomeOf(async () => {
      const [response] = await once(get(url, { agent: false }), 'response')
      ;(response as IncomingMessage).resume()
      return (response as IncomingMessage).statusCode
    })
  for (const url of urls) assert.equal(await statusOf(url), 200)
  for (const url of urls) {
    const headers = { connection: 'upgrade', upgrade: 'x' }
    await once(get(url, { agent: false, headers }), 'upgrade')
  }
  assert.equal(upgrades, 2)
  await app.close()
  for (const url of urls) {
    assert.equal(((await statusOf(url)) as { code: string }).code, 'ECONNREFUSED')
  }
})

test('a process ends when the server is unreferenced, on every address', () => {
  const script = `
    import dns from 'node:dns'
    const { lookup } = dns
    const list = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
    dns.lookup = (...args) =>
      args[0] === 'localhost' && args[1].all
        ? process.nextTick(args[2], null, list)
        : lookup(...args)
    const { default: framework } = await import(process.argv[1])
    const app = framework()
    await app.listen({ port: 0 })
    console.log(app.addresses().length)
    app.server.unref()
  `
  const module = new URL('../../../runtime/index.js', import.meta.url).href
  const argv = ['--input-type=module', '-e', script, module]
  const output = execFileSync(process.execPath, argv, { timeout: 60_000 })
  assert.equal(String(output).trim(), '2')
})

const serverOptions: object[] = [
  {},
  { connectionTimeout: 5000, keepAliveTimeout: 6000, requestTimeout: 7000 },
  { maxRequestsPerSocket: 3 },
  { maxRequestsPerSocket: null },
  { http: { maxHeaderSize: 1024, keepAliveTimeout: 1 } },
  { https: null },
  { https: true },
  { https: {} },
  { http2: true },
  { http2: true, https: true },
  { http2: true, https: { allowHTTP1: true }, http2SessionTimeout: 100 },
]

for (const options of serverOptions) {
  test(`the server for ${JSON.stringify(options)} is the oracle's`, () => {
    const seen = (factory: Factory): unknown => {
      const { server } = factory(options)
      const { timeout, keepAliveTimeout, requestTimeout, maxRequestsPerSocket } = server
      const { maxHeaderSize } = server as unknown as { maxHeaderSize: unknown }
      return {
        kind: Object.getPrototypeOf(server).constructor.name,
        limits: { timeout, keepAliveTimeout, requestTimeout, maxRequestsPerSocket, maxHeaderSize },
        events: server.eventNames().map(String).sort(),
      }
    }
    assert.deepEqual(seen(ours), seen(oracle))
  })
}

test('sessions of HTTP/2 end after their timeout', async () => {
  const app = ours({ http2: true, http2SessionTimeout: 50 })
  app.get('/', async () => 'hello')
  const session = connectHttp2(await app.listen({ port: 0, host: '127.0.0.1' }))
  await once(session, 'close')
  await app.close()
})

test('requests are served by their HTTP version as by the oracle', () => {
  const lib = createRequire(import.meta.url)('fastify/lib/server') as {
    compileValidateHTTPVersion(options: object): (version: string) => boolean
  }
  for (const options of [...serverOptions, { serverFactory: () => {} }]) {
    const ours = createHttpVersionTest(options)
    const theirs = lib.compileValidateHTTPVersion(options)
    for (const version of ['0.9', '1.0', '1.1', '2.0', '3.0']) {
      assert.equal(ours(version), theirs(version), `${JSON.stringify(options)} ${version}`)
    }
  }
})
