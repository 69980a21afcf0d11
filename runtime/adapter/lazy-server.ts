import type { Dispatch } from '../serve/dispatch.ts'
import type { RawServer } from '../serve/model.ts'
import { createServer, type ServerOptions } from './create-server.ts'

/** The `LazyServer` of an application. Registered, because a process may load this package twice. */
export const kLazyServer: unique symbol = Symbol.for('framework.lazy-server') as never

/**
 * Creates the server of an application on first use. Applications that are served through `fetch` need none. If its options can make it fail,
 * it's created at once, so that the factory throws.
 */
export class LazyServer {
  readonly #create: () => RawServer
  #server: RawServer | undefined

  constructor(options: ServerOptions, dispatch: Dispatch, onCreate: (server: RawServer) => void) {
    this.#create = () => {
      const server = createServer(options, dispatch)
      onCreate(server)
      return server
    }
    const { http, https, http2, serverFactory } = options
    if (http || https || http2 || serverFactory) this.get()
  }

  get(): RawServer {
    return (this.#server ??= this.#create())
  }

  /** Returns the server if it was created. */
  peek(): RawServer | undefined {
    return this.#server
  }
}
