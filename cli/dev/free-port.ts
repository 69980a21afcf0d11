import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TakenPort } from './taken-port.ts'

/** How long to wait between two looks, in ms. */
const PAUSE = 300

/** Resolves when nobody listens there any more, to whether that was before `signal`. */
export async function untilFree(taken: TakenPort, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await isFree(taken)) return !signal.aborted
    await sleep(PAUSE, undefined, { ref: false })
  }
  return false
}

/** Whoever connects to it would be noticed: listening there tells it as well. */
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
