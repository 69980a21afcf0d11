import type * as Events from 'node:events'
import { events } from '../../platform/index.ts'

const EventEmitter: typeof Events.EventEmitter = events().EventEmitter

type End = (error?: Error) => void

/** Replaces the socket of a request on platforms without sockets. It has the data that the platform provides, and can't be read or written. */
export class HostedConnection extends EventEmitter {
  /** `undefined` if the platform doesn't provide it. */
  readonly remoteAddress: string | undefined
  /** True if the client uses TLS: `request.protocol` is `https` then. */
  readonly encrypted: boolean
  readonly remotePort: undefined
  readonly writable = false
  readonly readable = false
  destroyed = false
  readonly #end: End

  constructor(remoteAddress: string | undefined, encrypted: boolean, end: End) {
    super()
    this.remoteAddress = remoteAddress
    this.encrypted = encrypted
    this.#end = end
  }

  address(): object {
    return {}
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    this.#end(error)
    this.emit('close', error !== undefined)
    return this
  }

  static {
    // The platform manages the connection, so these do nothing.
    for (const name of ['setTimeout', 'setKeepAlive', 'setNoDelay', 'ref', 'unref']) {
      const value = function (this: HostedConnection): HostedConnection {
        return this
      }
      Object.defineProperty(this.prototype, name, { value, writable: true, configurable: true })
    }
  }
}
