import { shared } from './applications.mjs'

/** Plugins, hooks, decorators and starting. */
export const issues = [
  {
    issue: 'fastify/fastify#6940',
    what: 'a preClose hook runs once per child instance',
    app: (app) => {
      app.register(async () => {})
      app.register(async (child) => child.register(async () => {}))
    },
    ask: async ({ app, note }) => {
      let count = 0
      app.addHook('preClose', async () => void count++)
      await app.ready()
      await app.close()
      note(count)
    },
    right: ['1'],
  },
  {
    issue: 'fastify/fastify#6753',
    what: 'hasRequestDecorator does not know the properties of requests themselves',
    app: (app) => app.ready(),
    ask: ({ app, note }) => {
      for (const name of ['id', 'params', 'raw', 'query', 'log', 'body', 'nothing'])
        note(`${name} ${app.hasRequestDecorator(name)}`)
      for (const name of ['raw', 'request', 'log', 'nothing'])
        note(`${name} ${app.hasReplyDecorator(name)}`)
    },
  },
  {
    issue: 'fastify/fastify#6523',
    what: 'an unknown logLevel of a route is noticed at the first request',
    options: () => ({ logger: { level: 'silent' } }),
    app: (app) => {
      app.get('/', { logLevel: 'loud' }, async () => 'served')
    },
    ask: ['/'],
    right: [
      "throws FST_ERR_ROUTE_LOG_LEVEL_INVALID Log level for 'GET:/' route must be a valid logger level. Received: 'loud'",
    ],
  },
  {
    issue: 'fastify/fastify#6105',
    what: 'a hook that cannot be added leaves ready() pending',
    ask: async ({ app, note }) => {
      app.register(async (child) => child.addHook('onSend', 'no function'))
      await app.ready()
      note('ready')
    },
    right: [
      'throws FST_ERR_HOOK_INVALID_HANDLER onSend hook should be a function, instead got [object String]',
    ],
  },
  {
    issue: 'fastify/fastify#5049',
    what: 'calling ready twice runs onReady hooks twice',
    ask: async ({ app, note }) => {
      let count = 0
      app.addHook('onReady', async () => void count++)
      await Promise.all([app.ready(), app.ready()])
      await app.ready()
      note(count)
    },
  },
  {
    issue: 'fastify/fastify#5273',
    what: 'onListen hooks of nested plugins do not run',
    ask: async ({ app, note }) => {
      const hook = (name) => async () => note(name)
      app.register(async (one) => {
        one.register(async (two) => two.addHook('onListen', hook('inner')))
      })
      app.register(async (one) => one.addHook('onListen', hook('second')))
      await app.listen({ port: 0, host: '127.0.0.1' })
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
    right: ['inner', 'second'],
  },
  {
    issue: 'fastify/fastify#6235',
    what: 'listen goes on after its signal is aborted',
    ask: async ({ app, note }) => {
      const abort = new AbortController()
      app.addHook('onReady', async () => abort.abort())
      await app.listen({ port: 0, host: '127.0.0.1', signal: abort.signal }).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 20))
      note(app.server.listening)
    },
    right: ['false'],
  },
  {
    issue: 'fastify/fastify#4929',
    what: 'hasPlugin does not know the plugins of the parent',
    app: (app) => {
      app.register(shared({ name: 'shared' }))
      app.register(async (child) =>
        child.get('/', async () => ({ known: child.hasPlugin('shared') })),
      )
    },
    ask: ['/'],
    right: ['200 | {"known":true}'],
  },
  {
    issue: 'fastify/fastify#5141',
    what: 'an async plugin that also takes a callback',
    ask: async ({ app, note }) => {
      app.register(async (child, options, done) => done())
      await app.ready()
      note('ready')
    },
  },
  {
    issue: 'fastify/fastify#5462',
    what: 'requests share an object that is a decorator',
    app: (app) => {
      app.decorateRequest('list', [])
      app.get('/', async (request) => ({ length: request.list.push(1) }))
    },
    ask: ['/', '/'],
  },
  {
    issue: 'fastify/fastify#5590',
    what: 'listen with `host: null` listens on another address than without it',
    ask: async ({ app, note }) => {
      await app.listen({ port: 0, host: null })
      note(app.server.address().address)
    },
    right: ['127.0.0.1'],
  },
  {
    issue: 'fastify/fastify#6137',
    what: 'close waits for HTTP/2 sessions despite forceCloseConnections',
    options: () => ({ http2: true, forceCloseConnections: true }),
    app: (app) => {
      app.get('/', async () => 'served')
    },
    ask: async ({ app, note }) => {
      const { connect } = await import('node:http2')
      await app.listen({ port: 0, host: '127.0.0.1' })
      const session = connect(`http://127.0.0.1:${app.server.address().port}`)
      session.on('error', () => {})
      await new Promise((resolve) => session.once('connect', resolve))
      await app.close()
      note('closed')
      session.destroy()
    },
    right: ['closed'],
  },
]
