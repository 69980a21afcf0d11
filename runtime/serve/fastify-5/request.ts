import { assertDecorated, decoratorOf } from './added-members.ts'
import type { Request } from '../model.ts'
import { baseRequest } from '../request/index.ts'
import { signalStateOf } from './signal.ts'

interface Fastify5Request extends Request {
  /** With the port. */
  readonly host: string
}

const members: ThisType<Fastify5Request> = {
  get port(): number | null {
    const [, port] = /:(\d+)$/.exec(this.host) ?? []
    return port === undefined ? null : Number(port)
  },

  get mediaType(): string | undefined {
    return mediaTypeOf(this.headers['content-type'])
  },

  /** Aborted when the connection is closed, or by the time limit of the route. */
  get signal(): AbortSignal {
    return signalStateOf(this).controller.signal
  },

  getDecorator(name: PropertyKey): unknown {
    return decoratorOf(this, name, 'request')
  },

  setDecorator(name: PropertyKey, value: unknown): void {
    assertDecorated(this, name, 'request')
    Reflect.set(this, name, value)
  },
}

/** Members of requests that Fastify 5 added, without `host`. */
export const fastify5Request: object = Object.setPrototypeOf(members, baseRequest) as object

const mediaType = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:;|$)/

/** Returns the type without parameters, in lower case, or `undefined` if it is invalid. */
export function mediaTypeOf(header: unknown): string | undefined {
  return typeof header === 'string' ? mediaType.exec(header)?.[1]?.toLowerCase() : undefined
}
