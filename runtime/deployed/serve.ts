import type { FetchSettings } from '../adapter/fetch/request.ts'
import type { FetchHandler } from '../fetch.ts'
import type { Application } from './application.ts'

/** Time for the application to close before the process is ended, in ms. */
const CLOSE_TIMEOUT = 10_000

/** A server that listens. */
interface Listening {
  readonly address: string
  close(): PromiseLike<unknown>
}

/** Starts a server. */
export type Open = (app: Application, port: number, host: string) => Promise<Listening>

/** `toFetch` of `framework/fetch`. */
export type ToFetch = (app: Application, options: FetchSettings) => FetchHandler

/** Calls `listen` of the application. */
const openWithListen: Open = async (app, port, host) => ({
  address: String(await app.listen({ port, host })),
  close: () => app.close(),
})

/** Reads `PORT` and `HOST` from the environment. */
export function addressToListen(): { readonly port: number; readonly host: string } {
  const { PORT = '3000', HOST = '0.0.0.0' } = process.env
  return { port: Number(PORT), host: HOST }
}

/** Serves an application on `PORT` and `HOST` until the process gets a signal to end. */
export async function serve(app: Application, open: Open = openWithListen): Promise<void> {
  const { port, host } = addressToListen()
  const opened = open(app, port, host)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void end(() => opened.then((one) => one.close())))
  }
  try {
    const { address } = await opened
    process.stdout.write(`Listening at ${address}\n`)
  } catch (error) {
    // Includes the error's code, as Node does for uncaught errors.
    process.stderr.write(`${process.getBuiltinModule('node:util').inspect(error)}\n`)
    process.exit(1)
  }
}

async function end(close: () => PromiseLike<unknown>): Promise<void> {
  setTimeout(() => {
    process.stderr.write(
      `The application hasn't closed within ${CLOSE_TIMEOUT / 1000} s. The process is ended.\n`,
    )
    process.exit(1)
  }, CLOSE_TIMEOUT).unref()
  try {
    await close()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
}
