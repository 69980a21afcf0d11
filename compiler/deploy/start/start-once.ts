import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic, ResolvedOptions } from '../../model/index.ts'
import { displayPath } from '../../util/paths.ts'
import type { NodeRelease } from './node-release.ts'

export interface StartFailure {
  readonly reason: string
  /** The end of the process's output. */
  readonly printed: string
}

/** Preloaded programs that end the process once the deployment listens. */
const endings: Readonly<Record<'end' | 'compile-again', URL>> = {
  end: new URL('./end.cjs', import.meta.url),
  'compile-again': new URL('./compile-again.cjs', import.meta.url),
}

const whenListening = new URL('./when-listening.cjs', import.meta.url)

/** Checks for files that are preloaded by `startOnce`. */
export function isPreload(file: string): boolean {
  return path.dirname(file) === path.dirname(fileURLToPath(whenListening))
}

/** Starts a deployment and waits until it has answered a request and ended. Returns why it failed. @param timeout in ms */
export function startOnce(
  folder: string,
  { path: binary, flags }: NodeRelease,
  timeout: number,
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
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-2000)
    })
  }
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve({ reason, printed })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`it did not finish within ${timeout / 1000} s`)
    }, timeout)
    child.once('error', ({ message }) => fail(message))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(undefined)
      else fail(signal === null ? `it ended with ${code}` : `it was ended by ${signal}`)
    })
  })
}

export function startFails(
  { reason, printed }: StartFailure,
  { entry, root }: ResolvedOptions,
): Diagnostic {
  const at = { file: displayPath(entry, root), line: 1, column: 1 }
  const output = printed.trim()
  const shown = output === '' ? ' ' : ` It printed:\n${output}\n`
  return diagnostic('AOT_START_FAILS', at, reason, shown)
}
