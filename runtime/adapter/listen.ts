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
      const { settings, callback, isVariadic } = toListenArguments(args)
      const { listensBySettings } = host
      if (listensBySettings) assertSettings(args)
      else if (isVariadic) emitWarning('FSTDEP011')
      if (settings.signal) {
        const closed = closeOnAbort(this, settings.signal)
        if (listensBySettings && closed !== undefined) return closed
      }
      // No default host with a path: Node would listen on both.
      const hostName = settings.path == null ? (settings.host ?? 'localhost') : settings.host
      // `null` would listen on all addresses.
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

/** @throws TypeError for a port or a path */
function assertSettings([settings, callback]: readonly unknown[]): void {
  if (typeof settings === 'number' || typeof settings === 'string') {
    throw new TypeError(`Cannot create property 'host' on ${typeof settings} '${settings}'`)
  }
  if (callback?.constructor.name === 'AsyncFunction') emitWarning('FSTWRN003', 'listen method')
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
