import type { AddressInfo } from 'node:net'
import { errorCodes } from '../errors/index.ts'
import type { Instance } from '../serve/model.ts'
import { emitWarning } from '../errors/warnings.ts'
import { toListenArguments, type ListenCallback } from './listen-arguments.ts'
import { listenOnOtherAddresses } from './localhost-servers.ts'
import { startServer, startServerWithCallback, type ListenHost } from './start-server.ts'

/** `instance.listen` and `instance.addresses`. */
export interface ListenMethods {
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
      if (isVariadic) emitWarning('FSTDEP011')
      if (settings.signal) closeOnAbort(this, settings.signal)
      // Only without a path: Node would listen on both.
      const name = settings.path == null ? (settings.host ?? 'localhost') : settings.host
      if (!Object.hasOwn(settings, 'host')) settings.host = name
      const onOthers = (onListen: () => void): void => {
        if (name !== 'localhost') return onListen()
        listenOnOtherAddresses(host, this, settings, () => {
          host.state.listening = true
          onListen()
        })
      }
      if (callback === undefined) {
        return startServer(host, this, settings).then(
          (address) =>
            new Promise((resolve) =>
              onOthers(() => {
                resolve(address)
                host.onListening(this)
              }),
            ),
        )
      }
      const onListen: ListenCallback = (error, address) => {
        if (error) callback(error, address)
        else {
          onOthers(() => {
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

function closeOnAbort(instance: Instance, signal: AbortSignal): void {
  if (typeof signal.addEventListener !== 'function') {
    throw new errorCodes.FST_ERR_LISTEN_OPTIONS_INVALID('Invalid options.signal')
  }
  if (signal.aborted) instance.close()
  else signal.addEventListener('abort', () => void instance.close(), { once: true })
}
