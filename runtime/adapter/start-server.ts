import type { AddressInfo } from 'node:net'
import { errorCodes } from '../errors/index.ts'
import type { Dispatch } from '../serve/dispatch.ts'
import type { Instance, RawServer } from '../serve/model.ts'
import type { ListenCallback, ListenSettings } from './listen-arguments.ts'
import type { ServerOptions } from './create-server.ts'

/** The state of an application that listening reads and changes. */
export interface ListenHost {
  readonly state: { listening: boolean; closing: boolean }
  readonly server: RawServer
  /** The servers on the other addresses of localhost. */
  readonly secondaries: RawServer[]
  readonly dispatch: Dispatch
  /** True if `listen` behaves as in Fastify 5, which takes settings only. */
  readonly listensBySettings: boolean
  /** Returns the addresses to log for the IP address that a server listens on. */
  addressesOf(address: string): readonly string[]
  /** Called when the instance listens, after the callback of `listen`. */
  onListening(instance: Instance): void
  readonly options: ServerOptions & { readonly forceCloseConnections?: unknown }
}

/** Starts to listen and calls back. It doesn't call back if the application is closing and hasn't listened. */
export function startServerWithCallback(
  host: ListenHost,
  instance: Instance,
  server: RawServer,
  settings: ListenSettings,
  callback: ListenCallback,
): void {
  const { state } = host
  if (state.listening) return callback(alreadyListening(state), null)
  const onListening = (error?: Error): void => {
    server.removeListener('error', onListening)
    // Fastify 4 calls it again when a later call of `listen` succeeds, here and in `startServer`.
    if (host.listensBySettings) server.removeListener('listening', onListening)
    if (error) {
      state.listening = false
      callback(error, null)
    } else {
      callback(null, logAddress(host, instance, server, settings))
    }
  }
  server.once('error', onListening)
  if (state.closing) return
  server.listen(settings, onListening)
  state.listening = true
}

/** Starts the application, listens and resolves with the address. */
export async function startServer(
  host: ListenHost,
  instance: Instance,
  settings: ListenSettings,
): Promise<string> {
  const { server, state } = host
  if (state.listening) throw alreadyListening(state)
  await instance.ready()
  // Aborting the signal closes the instance.
  if (settings.signal?.aborted) return undefined as never
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      if (host.listensBySettings) server.removeListener('listening', onListening)
      state.listening = false
      reject(error)
    }
    const onListening = (): void => {
      server.removeListener('error', onError)
      resolve(logAddress(host, instance, server, settings))
    }
    server.once('error', onError)
    server.listen(settings, onListening)
    state.listening = true
  })
}

function alreadyListening({ closing }: ListenHost['state']): Error {
  return closing
    ? new errorCodes.FST_ERR_REOPENED_CLOSE_SERVER()
    : new errorCodes.FST_ERR_REOPENED_SERVER()
}

function logAddress(
  { options, addressesOf }: ListenHost,
  { log }: Instance,
  server: RawServer,
  { listenTextResolver }: ListenSettings,
): string {
  const address = server.address() as AddressInfo | string
  const scheme = options.https ? 'https' : 'http'
  const urls =
    typeof address === 'string'
      ? [address]
      : addressesOf(address.address).map((ip) => toUrl(ip, address.port, scheme))
  for (const url of urls) log.info((listenTextResolver || defaultText)(url))
  return urls[0] as string
}

function defaultText(address: string): string {
  return `Server listening at ${address}`
}

function toUrl(ip: string, port: number, scheme: string): string {
  return `${scheme}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`
}
