import type { Dispatch } from '../serve/dispatch.ts'
import type { RawServer } from '../serve/model.ts'
import { createServer, type ServerOptions } from './create-server.ts'

/**
 * The server of an application, made when it is first asked for: where requests come by `fetch` that is never. One that
 * options may keep from being made is made at once, so that the factory throws.
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

  /** The server if there is one. */
  peek(): RawServer | undefined {
    return this.#server
  }
}
