import { assertDecorated, createAddedMembers, decoratorOf } from './added-members.ts'
import type { Request } from '../model.ts'
import { onAbort } from '../on-abort.ts'
import { kRawReply } from '../symbols.ts'

interface Fastify5Request extends Omit<Request, 'mediaType'> {
  /** Includes the port, and comes from trusted proxies if there are any. */
  readonly hostname: string | undefined
  readonly host: string
}

const kSignal: unique symbol = Symbol('framework.request.signal')

/** Members of requests that Fastify 5 added. */
export const fastify5Request: object = createAddedMembers<
  ThisType<Fastify5Request & { [kSignal]?: AbortSignal }>
>({
  /** Includes the port, like the `hostname` of Fastify 4. The `hostname` of Fastify 5 has no port. */
  get host(): string {
    return this.hostname ?? ''
  },

  get port(): number | null {
    const [, port] = /:(\d+)$/.exec(this.host) ?? []
    return port === undefined ? null : Number(port)
  },

  get mediaType(): string | undefined {
    return mediaTypeOf(this.headers['content-type'])
  },

  /** Aborted if the connection is closed before the response was sent. */
  get signal(): AbortSignal {
    if (this[kSignal] === undefined) {
      const controller = new AbortController()
      onAbort(this.raw, this[kRawReply], () => controller.abort())
      this[kSignal] = controller.signal
    }
    return this[kSignal]
  },

  getDecorator(name: PropertyKey): unknown {
    return decoratorOf(this, name, 'request')
  },

  setDecorator(name: PropertyKey, value: unknown): void {
    assertDecorated(this, name, 'request')
    Reflect.set(this, name, value)
  },
})

const mediaType = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:;|$)/

/** Returns the type without parameters, in lower case, or `undefined` if it is invalid. */
export function mediaTypeOf(header: unknown): string | undefined {
  return typeof header === 'string' ? mediaType.exec(header)?.[1]?.toLowerCase() : undefined
}
