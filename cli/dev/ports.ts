/** Ports that an application listens at, or would if they weren't in use. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The address that another program listens at. */
export interface TakenPort {
  readonly port: number
  readonly address: string
}

/** A message from the application's process: a port is in use, or a server gets no more connections and has closed its idle ones. */
export interface Message {
  readonly frameworkDev: TakenPort | 'released'
}

/** Sends a message over the cluster's channel. Returns false without a channel: the user's own command started the application. */
export function sendMessage(frameworkDev: Message['frameworkDev']): boolean {
  return process.send?.({ frameworkDev } satisfies Message) !== undefined
}

export function takenPort(error: unknown): TakenPort | undefined {
  const { code, port, address } = (error ?? {}) as Partial<TakenPort & { code: string }>
  if (code !== 'EADDRINUSE' || port === undefined || address === undefined) return undefined
  return { port, address }
}

/** Explains that a port is in use, with the next step. */
export function portText({ port, address }: TakenPort): string {
  return `port ${port} of ${address} is in use. \`--port ${port + 1}\` sets PORT for the application`
}

/** Time between two attempts, in ms. */
const RETRY_INTERVAL = 300

/** Resolves when the port is free: true, or false if `signal` was aborted first. */
export async function untilFree(taken: TakenPort, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await isFree(taken)) return !signal.aborted
    await sleep(RETRY_INTERVAL, undefined, { ref: false })
  }
  return false
}

/** Returns whether a port is free, by listening at it. Connecting to it would be visible to the other program. */
export async function isFree({ port, address }: TakenPort): Promise<boolean> {
  const server = createServer()
  server.listen(port, address)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** How long to wait for a further port, in ms. */
const FURTHER_PORT_TIMEOUT = 1_000

/**
 * Warns once if an application listens at other ports than that of `--port`. Returns the function to call for each port.
 *
 * @param requested value of `--port`; 0 allows any port
 * @returns takes the port, which is undefined for a pipe, and whether the application listens at another address already
 */
export function checkPorts(
  requested: string | undefined,
  warn: (text: string) => void,
): (port: number | undefined, isFurther: boolean) => void {
  let timer: NodeJS.Timeout | undefined
  let hasWarned = false
  return (port, isFurther) => {
    if (!isFurther || port === Number(requested)) clearTimeout(timer)
    if (isFurther || hasWarned || !Number(requested) || port === Number(requested)) return
    timer = setTimeout(() => {
      hasWarned = true
      const where = port === undefined ? 'elsewhere' : `at port ${port}`
      warn(
        `listens ${where}, and not at ${requested}: \`--port\` sets PORT, which the application does not read. Let it listen at \`Number(process.env.PORT)\``,
      )
    }, FURTHER_PORT_TIMEOUT).unref()
  }
}
