import type { AddressInfo } from 'node:net'
import { errorCodes } from '../errors/index.ts'
import type { Instance } from '../serve/model.ts'
import { emitWarning } from '../errors/warnings.ts'
import { toListenArguments, type ListenCallback } from './listen-arguments.ts'
import { listenOnOtherAddresses } from './localhost-servers.ts'
import { startServer, startServerWithCallback, type ListenHost } from './start-server.ts'

/** `instance.listen` and `instance.addresses`. */
interface ListenMethods {
  /**
   * Starts the application, then accepts connections. Resolves or calls back with the address.
   *
   * @throws FST_ERR_LISTEN_OPTIONS_INVALID
   */
  listen(this: Instance, ...args: unknown[]): Promise<string> | undefined
  /** Returns the addresses of all servers. */
  addresses(this: Instance): (AddressInfo | string)[]
}

export function createListenMethods(host: ListenHost): ListenMethods {
  return {
    listen(...args) {
      const { listensBySettings } = host
      const given = listensBySettings ? onlySettings(args) : args
      const { settings, callback, isVariadic } = toListenArguments(given)
      if (isVariadic) emitWarning('FSTDEP011')
      if (settings.signal) {
        const closed = closeOnAbort(this, settings.signal)
        if (listensBySettings && closed !== undefined) return closed
      }
      // No default host with a path: `localhost` would start further servers.
      const hostName = settings.path == null ? (settings.host ?? 'localhost') : settings.host
      // With `null`, Fastify 4 listens on all addresses; here it means the default, as in Fastify 5.
      const isMissing = listensBySettings ? settings.host == null : settings.host === null
      if (isMissing || !Object.hasOwn(settings, 'host')) settings.host = hostName
      const listenOnOthers = (onListen: () => void): void => {
        if (hostName !== 'localhost') return onListen()
        listenOnOtherAddresses(host, this, settings, () => {
          host.state.listening = true
          onListen()
        })
      }
      if (callback === undefined) {
        return startServer(host, this, settings).then(
          (address) =>
            new Promise((resolve) =>
              listenOnOthers(() => {
                resolve(address)
                host.onListening(this)
              }),
            ),
        )
      }
      const onListen: ListenCallback = (error, address) => {
        if (error) callback(error, address)
        else {
          listenOnOthers(() => {
            callback(null, address)
            host.onListening(this)
          })
        }
      }
      this.ready((error) => {
        if (error != null) return onListen(error)
        startServerWithCallback(host, this, host.server, settings, onListen)
      })
      return undefined
    },
    addresses() {
      const addresses = [...host.secondaries, this.server].map((server) => server.address())
      return addresses.filter((address) => address !== null)
    },
  }
}

/** Returns the arguments that Fastify 5 reads. @throws TypeError for settings that it can't write to, such as a port */
function onlySettings([settings = { port: 0 }, callback]: readonly unknown[]): unknown[] {
  if (Object(settings) !== settings) {
    const name = typeof callback === 'function' ? 'cb' : 'host'
    const type = typeof settings
    throw new TypeError(`Cannot create property '${name}' on ${type} '${String(settings)}'`)
  }
  if (callback?.constructor.name === 'AsyncFunction') emitWarning('FSTWRN003', 'listen method')
  return [settings, callback]
}

/** Returns the promise of `close` if the signal is aborted already. */
function closeOnAbort(instance: Instance, signal: AbortSignal): Promise<string> | undefined {
  if (typeof signal.addEventListener !== 'function') {
    throw new errorCodes.FST_ERR_LISTEN_OPTIONS_INVALID('Invalid options.signal')
  }
  if (signal.aborted) return instance.close() as Promise<string> | undefined
  signal.addEventListener('abort', () => void instance.close(), { once: true })
  return undefined
}
