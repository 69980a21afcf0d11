import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Block, readBlocks } from '../blocks.ts'
import { pluginsDir } from './suite.ts'

export type FileRun = readonly Block[]

export interface RunOptions {
  readonly jobs: number
  /** Module that exports the factory as default; without one, Fastify stays in its place. */
  readonly target?: string
  /** How long one block may hang, in milliseconds; half of it after the first in a file. */
  readonly blockMs?: number
}

const fileMs = 120_000
const preload = new URL('../../../../test/conformance/plugins/child/preload.mjs', import.meta.url)

/** Runs each test file in a process of its own. */
export async function runFiles(
  files: readonly string[],
  options: RunOptions,
): Promise<Map<string, FileRun>> {
  const queue = [...files]
  const runs = new Map<string, FileRun>()
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      runs.set(file, await runFile(file, options))
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  return runs
}

function runFile(file: string, { target, blockMs = 5000 }: RunOptions): Promise<FileRun> {
  const [plugin = '', ...rest] = file.split('/')
  const cwd = join(pluginsDir, 'suite', plugin)
  const path = join(cwd, 'test', ...rest)
  const foreign = /^(TAP_|PEER_)|^NODE_(OPTIONS|ENV|V8_COVERAGE)$/
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    NO_COLOR: '1',
    PEER_SUITE: pluginsDir,
    PEER_BLOCK_MS: String(blockMs),
    ...(target !== undefined && { PEER_TARGET: target }),
  }
  const child = spawn(process.execPath, ['--import', preload.href, path], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let tap = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (tap += text))
  const limit = setTimeout(() => child.kill('SIGKILL'), fileMs)
  return new Promise((resolve) => {
    child.on('close', () => {
      clearTimeout(limit)
      resolve(readBlocks(tap))
    })
  })
}
