import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * Returns the next message of a process.
 *
 * @throws if the process ends first; its standard error says why
 */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const controller = new AbortController()
  const ended = once(child, 'exit', { signal: controller.signal }).then(([code, signal]) => {
    throw new Error(`"${child.spawnargs.join(' ')}" has ended (${code ?? signal})`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
    return message
  } finally {
    controller.abort()
  }
}
