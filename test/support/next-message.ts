import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * The next message of a process.
 *
 * @throws when the process ends first; what it says of that is on its standard error
 */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`"${child.spawnargs.join(' ')}" has ended (${code ?? signal})`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
    return message
  } finally {
    over.abort()
  }
}
