/** Finding a route, prefixes, and HEAD routes. */
export const issues = [
  {
    issue: 'delvedor/find-my-way#424',
    what: 'a route with an expression and a plain parameter in one segment is not found by its pattern',
    app: (app) => {
      app.get('/:name(\\d+)-:other', async ({ params }) => params)
    },
    ask: async ({ app, note, ask }) => {
      note(app.hasRoute({ method: 'GET', url: '/:name(\\d+)-:other' }))
      await ask('/12-b')
    },
    right: ['true', '200 | {"name":"12","other":"b"}'],
  },
  {
    issue: 'delvedor/find-my-way#367',
    what: 'an optional parameter at the root does not match `/`',
    app: (app) => {
      app.get('/:id?', async ({ params }) => ({ id: params.id ?? 'none' }))
    },
    ask: ['/', '/a'],
    right: ['200 | {"id":"none"}', '200 | {"id":"a"}'],
  },
  {
    issue: 'delvedor/find-my-way#443',
    what: 'printRoutes shows `{}` for a constraint that is an expression',
    app: (app) => {
      app.get('/a', { constraints: { host: /^a\./ } }, async () => 'a')
    },
    ask: async ({ app, note }) => {
      await app.ready()
      note(app.printRoutes({ commonPrefix: false }).trim().split('\n').at(-1))
    },
    right: ['└── /a (GET, HEAD) {"host":"/^a\\\\./"}'],
  },
  {
    issue: 'fastify/fastify#5508',
    what: 'hasRoute finds nothing for a method in lower case',
    app: (app) => {
      app.get('/a', async () => 'a')
    },
    ask: ({ app, note }) => note(app.hasRoute({ method: 'get', url: '/a' })),
    right: ['true'],
  },
  {
    issue: 'fastify/fastify#5102',
    what: 'hasRoute matches URLs instead of patterns',
    app: (app) => {
      app.get('/:id', async () => 'a')
    },
    ask: ({ app, note }) => {
      note(app.hasRoute({ method: 'GET', url: '/abc' }))
      note(app.hasRoute({ method: 'GET', url: '/:id' }))
    },
    right: ['false', 'true'],
  },
  {
    issue: 'fastify/fastify#6674',
    what: 'a duplicate among several methods throws an error without a code',
    ask: ({ create }) => {
      const app = create()
      app.post('/a', async () => 'a')
      app.route({ method: ['PUT', 'POST'], url: '/a', handler: async () => 'b' })
    },
    right: [
      "throws FST_ERR_DUPLICATED_ROUTE Method '[ 'PUT', 'POST' ]' already declared for route '/a'",
    ],
  },
  {
    issue: 'fastify/fastify#6803',
    what: 'nested prefixes are joined with two slashes',
    app: (app) => {
      app.register(
        async (outer) => {
          outer.register(async (inner) => inner.get('/a', async () => 'a'), { prefix: 'inner' })
        },
        { prefix: '/v1/' },
      )
    },
    ask: ['/v1/inner/a', '/v1//inner/a'],
    right: [
      '200 | a',
      '404 | {"message":"Route GET:/v1//inner/a not found","error":"Not Found","statusCode":404}',
    ],
  },
  {
    issue: 'fastify/fastify#6719',
    what: 'routeOptions.url of the route at a prefix ends with a slash',
    app: (app) => {
      app.register(async (child) => child.get('/', async ({ routeOptions }) => routeOptions.url), {
        prefix: '/v1',
      })
    },
    ask: ['/v1', '/v1/'],
  },
  {
    issue: 'fastify/fastify#5090',
    what: 'a list of methods with GET gets no HEAD route, or loses it by another route',
    app: (app) => {
      app.route({ method: ['GET', 'POST'], url: '/a', handler: async () => 'a' })
      app.put('/a', async () => 'b')
    },
    ask: [{ method: 'HEAD', url: '/a' }],
  },
  {
    issue: 'fastify/fastify#5766',
    what: 'the HEAD route of `method: "get"` loses the onSend hooks of the route',
    app: (app) => {
      app.route({
        method: 'get',
        url: '/a',
        onSend: async (request, reply) => {
          reply.header('x-hook', 'ran')
        },
        handler: async () => 'a',
      })
    },
    headers: ['x-hook'],
    ask: ['/a', { method: 'HEAD', url: '/a' }],
  },
]
