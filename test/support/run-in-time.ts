/** A thread that runs programs as JavaScript, so that what they leave unhandled ends nothing else. */
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Program } from './random-programs.ts'

const tool: unknown = await import(String(workerData))
const given = { EventEmitter, once, readFile, sleep, turn, tool }

/** Becomes true where an application would end. */
let hasFailed = false
process.on('unhandledRejection', () => (hasFailed = true))
process.on('uncaughtException', () => (hasFailed = true))

parentPort?.on('message', ({ setUp, result }: Program) => {
  void run(setUp, result).then((value) => parentPort?.postMessage(value))
})

/** Returns the result as JSON; `undefined` if the program throws, leaves a rejection unhandled, or never gets there. */
async function run(setUp: string, result: string): Promise<string | undefined> {
  // As in an ES module, microtasks run before the callbacks of `nextTick`.
  await Promise.resolve()
  hasFailed = false
  const text = `return (async () => {'use strict';${setUp}\n;return ${result}})()`
  try {
    // oxlint-disable-next-line no-new-func -- The program is a text.
    const program = new Function(...Object.keys(given), text) as (...args: unknown[]) => unknown
    const value = await Promise.race([program(...Object.values(given)), sleep(1000)])
    // The schemas of an application are read when it starts, which is after everything that waits for nothing.
    await new Promise(process.nextTick)
    const json = JSON.stringify(value) as string | undefined
    await turn()
    return hasFailed ? undefined : json
  } catch {
    return undefined
  }
}
