import { contextOf } from '../context/index.ts'
import type { AddressInfo } from 'node:net'
import type { ChildLoggerFactory, Instance } from '../serve/model.ts'

interface Listening extends Instance {
  addresses(): (AddressInfo | string)[]
}

/** Read-only properties of instances. */
export const instanceAccessors: PropertyDescriptorMap & ThisType<Instance> = {
  listeningOrigin: {
    get(this: Listening): string {
      const address = this.addresses().at(-1) as AddressInfo | string
      if (typeof address === 'string') return address
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
      const scheme = contextOf(this).app.options.https ? 'https' : 'http'
      return `${scheme}://${host}:${address.port}`
    },
  },
  pluginName: {
    configurable: true,
    get(): string {
      return contextOf(this).pluginNames.join(' -> ')
    },
  },
  prefix: {
    configurable: true,
    get(): string {
      return contextOf(this).prefix
    },
  },
  validatorCompiler: {
    configurable: true,
    get(): unknown {
      return contextOf(this).schemas.validator.get()
    },
  },
  serializerCompiler: {
    configurable: true,
    get(): unknown {
      return contextOf(this).schemas.serializer.get()
    },
  },
  childLoggerFactory: {
    configurable: true,
    get(): ChildLoggerFactory {
      return contextOf(this).childLoggerFactory
    },
  },
  version: {
    configurable: true,
    get(): string {
      return contextOf(this).app.line.version
    },
  },
  errorHandler: {
    configurable: true,
    get(): unknown {
      return contextOf(this).errorHandler.func
    },
  },
}
