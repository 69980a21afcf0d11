import type * as Events from 'node:events'
import { events } from '../../platform/index.ts'

const EventEmitter: typeof Events.EventEmitter = events().EventEmitter

/** What both sides of an exchange do when somebody ends the connection. */
type End = (error?: Error) => void

/**
 * Stands in for the socket of a request that did not come over one. It knows what the platform tells of the
 * connection; nothing can be read from it or written to it.
 */
export class HostedConnection extends EventEmitter {
  /** `undefined` when the platform was not asked. */
  readonly remoteAddress: string | undefined
  /** Whether the client speaks TLS; what makes `request.protocol` `https`. */
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

  // The connection is the platform's: it decides how long it lives.

  setTimeout(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
