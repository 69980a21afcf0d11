import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BareRequest } from './bare-host.ts'
import type { Place } from './engine.ts'

const host = fileURLToPath(new URL('bare-host.js', import.meta.url))

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

/** Runs a deployment in a world that has what pages have: no module of Node, none of its globals, no code of strings. */
export async function openBare(folder: string): Promise<Place> {
  const child = fork(host, [join(folder, 'index.js')], {
    execArgv: ['--experimental-vm-modules', '--no-warnings'],
  })
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  const settle = (message: { id: number; value?: unknown; error?: string }): void => {
    const { resolve, reject } = waiting.get(message.id) ?? {}
    waiting.delete(message.id)
    if (message.error === undefined) resolve?.(message.value as never)
    else reject?.(new Error(message.error))
  }
  child.on('message', settle)
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`exited with ${code}`))
  })
  const wait = <T>(id: number): Promise<T> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  let last = 0
  const tell = <T>(message: Unnumbered<BareRequest>): Promise<T> => {
    const answer = wait<T>(++last)
    child.send({ ...message, id: last })
    return answer
  }
  await wait(0)
  return {
    ask: (request) => tell({ kind: 'ask', request }),
    journal: () => tell({ kind: 'journal' }),
    async close() {
      const journal = await tell<never>({ kind: 'close' })
      child.disconnect()
      return journal
    },
  }
}
