import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TakenPort } from './taken-port.ts'

/** Time between two attempts, in ms. */
const PAUSE = 300

/** Resolves when the port is free: true, or false if `signal` was aborted first. */
export async function untilFree(taken: TakenPort, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await isFree(taken)) return !signal.aborted
    await sleep(PAUSE, undefined, { ref: false })
  }
  return false
}

/**
 * Returns whether a port is free, by listening at it. Connecting to it would be visible to the other program.
 */
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
