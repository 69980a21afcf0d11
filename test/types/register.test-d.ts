import bearerAuth from '@fastify/bearer-auth'
import type {
  FastifyInstance as ForeignInstance,
  FastifyPluginAsync as ForeignPluginAsync,
} from 'fastify'
import foreignWrapper from 'fastify-plugin'
import framework, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyPluginCallback,
  type FastifyPluginOptions,
} from 'framework'
import plugin from 'framework/plugin'
import { same } from './expect.ts'

interface Options {
  folder: string
}
const app = framework()
declare const callback: FastifyPluginCallback<Options>
declare const asynchronous: FastifyPluginAsync<Options>

app.register(callback, { folder: '/', prefix: '/v1', logLevel: 'warn' })
app.register(asynchronous, { folder: '/' })
app.register(plugin(asynchronous), { folder: '/' })
app.register(Promise.resolve({ default: asynchronous }), { folder: '/' })
app.register(callback, (instance) => ({ folder: instance.prefix }))
same<undefined>()(await app.register(callback, { folder: '/' }))
app.register(callback, { folder: '/' }).get('/', () => {})
// @ts-expect-error the folder is missing
app.register(callback, {})
// @ts-expect-error not the type of the folder
app.register(asynchronous, { folder: 1 })
// @ts-expect-error not the type of the folder
app.register(callback, () => ({ folder: 1 }))
// @ts-expect-error a prefix is text
app.register(callback, { folder: '/', prefix: 1 })
// @ts-expect-error not a plugin
app.register('plugin')

// Inline plugins: everything is inferred, or written by hand.
app.register((instance, _options, done) => {
  same<FastifyInstance>()(instance)
  done()
})
app.register(async (instance) => {
  same<FastifyInstance>()(instance)
})
app.register(
  async (instance: FastifyInstance, options: Options) => {
    instance.get(options.folder, () => {})
  },
  { folder: '/' },
)
app.register(function (instance, options: FastifyPluginOptions, done) {
  instance.log.info(options)
  done()
})

// Plugins that the types of `fastify` describe: by function, by promise, by import, wrapped by either helper.
app.register(bearerAuth, { keys: new Set(['x']) })
app.register(bearerAuth, {
  keys: ['x'],
  auth: (key, request) => key === request.hostname,
  prefix: '/v1',
})
app.register(bearerAuth, () => ({ keys: ['x'] }))
app.register(import('@fastify/bearer-auth'), { keys: ['x'] })
framework({ https: {} }).register(bearerAuth, { keys: ['x'] })
framework({ http2: true }).register(bearerAuth, { keys: ['x'] })
same<undefined>()(await app.register(bearerAuth, { keys: ['x'] }))
// @ts-expect-error the keys are missing
app.register(bearerAuth, {})
// @ts-expect-error not keys
app.register(bearerAuth, { keys: 1 })

declare const foreign: ForeignPluginAsync<Options>
app.register(foreign, { folder: '/' })
app.register(foreignWrapper(foreign), { folder: '/' })
app.register(
  foreignWrapper(async (instance: ForeignInstance, options: Options) => {
    instance.get(options.folder, () => {})
  }),
  { folder: '/' },
)
app.register(
  foreignWrapper(
    (instance, _options, done) => {
      instance.decorate('a', 1)
      done()
    },
    { name: 'inline' },
  ),
)
// @ts-expect-error the folder is missing
app.register(foreign, {})

// Rejects functions that only look like plugins.
// @ts-expect-error an instance is not text
app.register((instance: string, _options: object, done: () => void) => done())
