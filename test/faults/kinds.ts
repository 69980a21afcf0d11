/** Kinds of places where a request runs functions of the application. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Ability, type Call, type Done, type End, throwing } from './ends.ts'
import type { Pace } from './scene.ts'

export type Ask =
  | 'post'
  | 'deep'
  | 'deepText'
  | 'missing'
  | 'badUrl'
  | 'malformed'
  | 'abort'
  | 'stall'

export interface Scene {
  readonly pace: Pace
  /** Runs the fault, or the normal behaviour if it isn't its turn. */
  fault(call: Call): unknown
}

export interface Site {
  /** The ways to fail here, or the abilities that select them in `ends.ts`. */
  readonly can: readonly Ability[] | ReadonlyMap<string, End>
  readonly ask?: Ask
  readonly transports?: readonly string[]
  readonly options?: (scene: Scene) => object
  /** Options of the route, besides its handler. */
  readonly route?: (scene: Scene) => object
  readonly handler?: (scene: Scene, request: FastifyRequest, reply: FastifyReply) => unknown
  readonly declare?: (app: FastifyInstance, scene: Scene) => void
}

type Loose = (...args: never[]) => unknown

export const all: readonly Ability[] = ['throw', 'promise', 'callback', 'reply']

export function plainHook({ fault }: Scene): Loose {
  return (_request: FastifyRequest, reply: FastifyReply, done: Done) =>
    fault({ done, reply, value: undefined })
}

export function payloadHook({ fault }: Scene): Loose {
  return (_request: FastifyRequest, reply: FastifyReply, value: unknown, done: Done) =>
    fault({ done, reply, value })
}

export function hookSite(
  name: string,
  toHook: (scene: Scene) => Loose,
  more: Partial<Site> = {},
): Site {
  return {
    can: all,
    declare: (app, scene) => void app.addHook(name as 'onRequest', toHook(scene) as never),
    ...more,
  }
}

export function parserSite(options: object): Site {
  return {
    can: ['throw', 'promise', 'callback'],
    declare(app, { fault }) {
      app.removeContentTypeParser('application/json')
      app.addContentTypeParser('application/json', options, ((
        _request: FastifyRequest,
        payload: Readable,
        done: Done,
      ) => {
        if (payload instanceof Readable) payload.resume()
        return fault({ done, value: { a: 1 } })
      }) as never)
    },
  }
}

export function validatorSite(part: string): Site {
  return {
    can: ['throw', 'promise'],
    route: ({ fault }) => ({
      schema: { [part]: { type: 'object' } },
      validatorCompiler: () => (value: unknown) => fault({ value: { value } }),
    }),
  }
}

export const invalid = (pace: Pace, answer: unknown = false): object => ({
  schema: { body: { type: 'object' } },
  validatorCompiler: () => {
    const validate = (): unknown => (pace === 'promise' ? Promise.resolve(answer) : answer)
    return Object.assign(validate, { errors: [{ message: 'is wrong', instancePath: '/a' }] })
  },
})

export function formatterSite(more: object): Site {
  return {
    can: ['throw'],
    route: ({ pace, fault }) => ({
      ...invalid(pace),
      schemaErrorFormatter: () => fault({ value: new Error('invalid') }),
      ...more,
    }),
  }
}

export function serializerSite(status: string, handler?: Site['handler']): Site {
  return {
    can: ['throw'],
    ...(handler ? { handler } : {}),
    route: ({ fault }) => ({
      schema: { response: { [status]: { type: 'object' } } },
      serializerCompiler: () => (value: unknown) => fault({ value: JSON.stringify(value) }),
    }),
  }
}

export function loggerSite(method: string): Site {
  return {
    can: ['throw'],
    handler: throwing,
    options: ({ fault }) => {
      const logger: Record<string, unknown> = { level: 'trace' }
      for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace']) {
        logger[level] = () => (level === method ? fault({ value: undefined }) : undefined)
      }
      logger['child'] = () => logger
      return { logger }
    },
  }
}

export function logSerializerSite(name: string): Site {
  return {
    can: ['throw'],
    handler: throwing,
    options: ({ fault }) => ({
      logger: {
        level: 'trace',
        stream: { write: () => {} },
        serializers: { [name]: () => fault({ value: {} }) },
      },
    }),
  }
}

export function constraintSite(strategy: (scene: Scene) => object): Site {
  return {
    can: ['throw'],
    options: (scene) => ({
      constraints: { tenant: { name: 'tenant', validate: () => {}, ...strategy(scene) } },
    }),
    route: () => ({ constraints: { tenant: 'a' } }),
  }
}

/** Nothing is wrong except the depth of the body. */
export function deepSite(more: Partial<Site>): Site {
  return {
    can: new Map<string, End>([['deep', { needs: [], run: ({ value }) => value }]]),
    ask: 'deep',
    declare(app, { fault }) {
      app.addHook('onRequest', (_request, _reply, done) => {
        fault({ value: undefined })
        done()
      })
    },
    ...more,
  }
}

export const storage = (): object => {
  const stores: Record<string, unknown> = {}
  return {
    get: (key: string) => stores[key] ?? null,
    set: (key: string, value: unknown) => void (stores[key] = value),
  }
}
