import type { Deployed } from './application.ts'

/** A server that has not closed by then is ended, in ms. */
const PATIENCE = 10_000

/** Serves an application as a process of its own: on `PORT` and `HOST`, until it is told to end. */
export async function serve(app: Deployed): Promise<void> {
  const { PORT = '3000', HOST = '0.0.0.0' } = process.env
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(app))
  try {
    const address = await app.listen({ port: Number(PORT), host: HOST })
    process.stdout.write(`Listening at ${address}\n`)
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exit(1)
  }
}

async function end(app: Deployed): Promise<void> {
  setTimeout(() => process.exit(1), PATIENCE).unref()
  try {
    await app.close()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
}
