import type { Server } from 'node:https'
import framework, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPlugin,
  type FastifyPluginAsync,
  type FastifyPluginCallback,
  type FastifyTypeProviderDefault,
  type RawServerDefault,
} from 'framework'
import plugin from 'framework/plugin'
import { same } from './expect.ts'

interface Options {
  folder: string
}

const callback: FastifyPluginCallback<Options> = (instance, options, done) => {
  same<FastifyInstance>()(instance)
  same<string>()(options.folder)
  done()
  done(new Error())
  // @ts-expect-error not an error
  done('failed')
}
const asynchronous: FastifyPluginAsync<Options> = async (instance, options) => {
  instance.get(options.folder, () => {})
}
const either: FastifyPlugin<Options> = callback
// @ts-expect-error must return a promise
const notAsync: FastifyPluginAsync = () => {}

// The wrapper gives back what it got, options included.
same<FastifyPluginCallback<Options>>()(plugin(callback))
same<FastifyPluginAsync<Options>>()(plugin(asynchronous, '4.x'))
const typed = plugin<Options>((instance, options, done) => {
  same<FastifyInstance>()(instance)
  same<string>()(options.folder)
  done()
})
framework().register(typed, { folder: '/' })
plugin(async (instance: FastifyInstance, options: Options) => instance.log.info(options.folder), {
  name: 'folders',
  fastify: '4.x',
  dependencies: ['other'],
  decorators: { fastify: ['database'], request: [Symbol('a')], reply: [] },
  encapsulate: false,
})
plugin<Options, Server, FastifyTypeProviderDefault, FastifyBaseLogger>(
  (instance, _options, done) => {
    same<Server>()(instance.server)
    done()
  },
)
plugin((_instance, _options, done) => done())
plugin(async (instance) => {
  same<FastifyInstance<RawServerDefault>>()(instance)
})
// @ts-expect-error no such metadata
plugin(callback, { version: '4.x' })
// @ts-expect-error not a plugin
plugin(1)
plugin.default(callback)
plugin.fastifyPlugin(callback)
