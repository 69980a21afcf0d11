import { deploymentErrorCodes } from '../errors/index.ts'
import type { Deployed } from './application.ts'

/** What `listen` says where nobody can connect to the application itself. */
const ADDRESS = 'http://localhost'

type Callback = (error: unknown, address?: string) => void

/**
 * Takes `listen` from all applications that are made from now on: where the platform has the socket, it says which one is to be
 * served. Resolves with that one.
 *
 * @param bootsNow whether `listen` boots it, as on Node
 */
export function takeListening(bootsNow: boolean): Promise<Deployed> {
  const { subscribe } = process.getBuiltinModule('node:diagnostics_channel')
  return new Promise((serve) => {
    let served: Deployed | undefined
    subscribe('fastify.initialization', (message) => {
      const { fastify: app } = message as { fastify: Deployed }
      app.listen = (...args: readonly unknown[]) => {
        if (served !== undefined && served !== app) {
          throw new deploymentErrorCodes.FST_ERR_DEPLOY_SECOND_APPLICATION()
        }
        served = app
        serve(app)
        const booted = bootsNow ? Promise.resolve(app.ready()) : Promise.resolve()
        const callback = args.at(-1)
        if (typeof callback !== 'function') return booted.then(() => ADDRESS)
        booted.then(() => (callback as Callback)(null, ADDRESS), callback as Callback)
        return undefined
      }
    })
  })
}
