import type { FetchHandler, FetchOptions } from '../fetch.ts'
import type { Deployed } from './application.ts'

/** A server that has not closed by then is ended, in ms. */
const PATIENCE = 10_000

/** Where an application listens, and how it stops to. */
interface Listening {
  readonly address: string
  close(): PromiseLike<unknown>
}

/** Listens on a port of an address, with a server of the platform's own. */
export type Open = (app: Deployed, port: number, host: string) => Promise<Listening>

/** `toFetch` of `framework/fetch`. */
export type ToFetch = (app: Deployed, options: FetchOptions) => FetchHandler

/** Listens as the application itself does. */
export const openItself: Open = async (app, port, host) => ({
  address: String(await app.listen({ port, host })),
  close: () => app.close(),
})

/** What the environment says: `PORT` and `HOST`. */
export function placeToListen(): { readonly port: number; readonly host: string } {
  const { PORT = '3000', HOST = '0.0.0.0' } = process.env
  return { port: Number(PORT), host: HOST }
}

/** Serves an application as a process of its own: on `PORT` and `HOST`, until it is told to end. */
export async function serve(app: Deployed, open: Open = openItself): Promise<void> {
  const { port, host } = placeToListen()
  const opened = open(app, port, host)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void end(() => opened.then((one) => one.close())))
  }
  try {
    const { address } = await opened
    process.stdout.write(`Listening at ${address}\n`)
  } catch (error) {
    // With its code, as Node prints what nobody catches.
    process.stderr.write(`${process.getBuiltinModule('node:util').inspect(error)}\n`)
    process.exit(1)
  }
}

async function end(close: () => PromiseLike<unknown>): Promise<void> {
  setTimeout(() => {
    process.stderr.write(
      `The application has not closed within ${PATIENCE / 1000} s: it is ended.\n`,
    )
    process.exit(1)
  }, PATIENCE).unref()
  try {
    await close()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
}
