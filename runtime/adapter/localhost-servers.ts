import type { AddressInfo } from 'node:net'
import { nodeModule } from '../platform/index.ts'
import type { Instance, RawServer } from '../serve/model.ts'
import { closeConnections } from './close-connections.ts'
import type { ListenSettings } from './listen-arguments.ts'
import { createServer } from './create-server.ts'
import { startServerWithCallback, type ListenHost } from './start-server.ts'

/**
 * Listens on the other addresses of `localhost` with one more server each, so that both `127.0.0.1` and `::1` answer. Errors are ignored,
 * because the main server listens.
 */
export function listenOnOtherAddresses(
  host: ListenHost,
  instance: Instance,
  settings: ListenSettings,
  onListen: () => void,
): void {
  const { server: main, state, options } = host
  // As in Fastify. The caller sets it again in `onListen`.
  state.listening = false
  // The main server listens on all addresses.
  if (!settings.host) return onListen()
  const { lookup } = nodeModule('node:dns')
  lookup(settings.host, { all: true }, (error, addresses) => {
    // The address of a server from `serverFactory` is unknown.
    if (error || (main.listening && options.serverFactory)) return onListen()
    const primary = main.address() as AddressInfo | null
    const others = addresses.filter(({ address }) => primary && address !== primary.address)
    if (others.length === 0) return onListen()
    let pending = others.length
    for (const { address } of others) {
      const server = createSecondary(host)
      const place = { ...settings, host: address, port: primary?.port }
      // Otherwise `startServerWithCallback` refuses to start a further server.
      state.listening = false
      startServerWithCallback(host, instance, server, place, (failure) => {
        if (!failure) closeWithApplication(host, instance, server)
        if (--pending === 0) onListen()
      })
    }
    emitUnref(main)
  })
}

/** Creates a server that serves the same application and closes when the main server closes, fails or is unref'ed, as in Fastify. */
function createSecondary({ server: main, options, dispatch }: ListenHost): RawServer {
  const server = createServer(options, dispatch)
  const close = (): void => void server.close(() => {})
  server.on('upgrade', (...args) => main.emit('upgrade', ...args))
  for (const event of ['unref', 'close', 'error']) main.on(event, close)
  return server
}

function closeWithApplication(host: ListenHost, instance: Instance, server: RawServer): void {
  const { state, options, secondaries } = host
  secondaries.push(server)
  instance.onClose((_instance, done) => {
    if (!state.listening) return done()
    server.close(() => done())
    closeConnections(server, options.forceCloseConnections)
  })
}

/** Adds an event, by which the other servers close. */
function emitUnref(main: RawServer): void {
  const { unref } = main
  main.unref = (): RawServer => {
    unref.call(main)
    main.emit('unref')
    return main
  }
}
