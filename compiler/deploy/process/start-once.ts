import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NodeRelease } from './node-release.ts'

export interface StartFailure {
  readonly reason: string
  /** The end of what the process has printed. */
  readonly printed: string
}

/** What happens when a deployment listens, which ends its process: files that are no part of what is started. */
const endings: Readonly<Record<'end' | 'compile-again', URL>> = {
  end: new URL('./end.cjs', import.meta.url),
  'compile-again': new URL('./compile-again.cjs', import.meta.url),
}

const whenListening = new URL('./when-listening.cjs', import.meta.url)

/** Whether a file is one that runs in each such deployment. */
export function isOfStart(file: string): boolean {
  return path.dirname(file) === path.dirname(fileURLToPath(whenListening))
}

/** Starts a deployment until it listens. Returns why it did not. */
export function startOnce(
  folder: string,
  { path: binary, flags }: NodeRelease,
  patience: number,
  ending: keyof typeof endings = 'end',
): Promise<StartFailure | undefined> {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env
  const preloads = [whenListening, endings[ending]].flatMap((url) => [
    '--require',
    fileURLToPath(url),
  ])
  const child = spawn(binary, [...flags, ...preloads, folder], {
    env: { ...env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return ended(child, patience)
}

/** What is wrong with the end of a process; it is ended when it takes longer than `patience` ms. */
export function ended(child: ChildProcess, patience: number): Promise<StartFailure | undefined> {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-2000)
    })
  }
  return new Promise((resolve) => {
    const fails = (reason: string): void => resolve({ reason, printed })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fails(`it did not finish within ${patience / 1000} s`)
    }, patience)
    child.once('error', ({ message }) => fails(message))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(undefined)
      else fails(signal === null ? `it ended with ${code}` : `it was ended by ${signal}`)
    })
  })
}
