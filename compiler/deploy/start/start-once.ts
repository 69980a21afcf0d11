import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { diagnostic } from '../../report/errors.ts'
import type { ResolvedOptions } from '../../model/index.ts'
import { displayPath } from '../../util/paths.ts'
import { DeployError } from '../deploy-error.ts'
import type { NodeRelease } from './node-release.ts'

/** Ends the process once the deployment listens and has answered a request. */
const whenListening = new URL('./when-listening.cjs', import.meta.url)
const compileAgain = new URL('./compile-again.cjs', import.meta.url)

/** Checks for files that are preloaded by `startOnce`. */
export function isPreload(file: string): boolean {
  return path.dirname(file) === path.dirname(fileURLToPath(whenListening))
}

/**
 * Starts a deployment and waits until it has answered a request and ended.
 *
 * @param compilesAgain whether it compiles its files again with the functions that it has called
 * @throws DeployError
 */
export async function startOnce(
  folder: string,
  { path: binary, flags }: NodeRelease,
  options: ResolvedOptions,
  compilesAgain = false,
): Promise<void> {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env
  const preloads = [whenListening, ...(compilesAgain ? [compileAgain] : [])].map(
    (url) => `--require=${fileURLToPath(url)}`,
  )
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
  const reason = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(`it did not finish within ${options.bootTimeout / 1000} s`)
    }, options.bootTimeout)
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(undefined)
      else resolve(signal === null ? `it ended with ${code}` : `it was ended by ${signal}`)
    })
  })
  if (reason !== undefined) throw startFails(reason, printed, options)
}

/** @param printed the end of the process's output */
export function startFails(
  reason: string,
  printed: string,
  { entry, root }: ResolvedOptions,
): DeployError {
  const at = { file: displayPath(entry, root), line: 1, column: 1 }
  const output = printed.trim()
  const shown = output === '' ? ' ' : ` It printed:\n${output}\n`
  return new DeployError(diagnostic('AOT_START_FAILS', at, reason, shown))
}
