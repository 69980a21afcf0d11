import { contextOf, type Context } from '../context/index.ts'
import type { AddressInfo } from 'node:net'
import type { Instance } from '../serve/model.ts'

interface Listening extends Instance {
  addresses(): (AddressInfo | string)[]
}

/** Read-only properties of instances. */
export const instanceAccessors: PropertyDescriptorMap = {
  // Not configurable, as in Fastify.
  listeningOrigin: {
    get(this: Listening): string {
      // The main server is the last one. Throws before `listen`, as in Fastify.
      const address = this.addresses().at(-1) as AddressInfo | string
      if (typeof address === 'string') return address
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
      const scheme = contextOf(this).app.options.https ? 'https' : 'http'
      return `${scheme}://${host}:${address.port}`
    },
  },
  pluginName: fromContext((context) => context.pluginNames.join(' -> ')),
  prefix: fromContext((context) => context.prefix),
  validatorCompiler: fromContext((context) => context.schemas.validator.get()),
  serializerCompiler: fromContext((context) => context.schemas.serializer.get()),
  childLoggerFactory: fromContext((context) => context.childLoggerFactory),
  version: fromContext((context) => context.app.line.version),
  errorHandler: fromContext((context) => context.errorHandler.func),
}

function fromContext(read: (context: Context) => unknown): PropertyDescriptor {
  return {
    configurable: true,
    get(this: Instance) {
      return read(contextOf(this))
    },
  }
}
