import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, readBlocks } from './blocks.ts'
import { cacheDir, suiteDir } from './suite.ts'

export interface RunOptions {
  /** Module that exports the factory as default; without one, Fastify stays in its place. */
  readonly target?: string | undefined
  /** Who may not generate code: `everything` but the suite and its tools, or all of that but the compiler. */
  readonly withoutCodegen?: 'everything' | 'runtime' | undefined
  /** How long one block may hang, in milliseconds; half of it after the first in a file. */
  readonly blockMs?: number | undefined
  readonly jobs: number
}

export interface FileResult {
  readonly blocks: readonly Block[]
  readonly ms: number
  /** End of what was written to stderr, if the process failed. */
  readonly complaint: string
}

const fileMs = 120_000
const preload = new URL('../../../test/conformance/child/preload.mjs', import.meta.url).href

/** The runtime as in development: these tests declare their schemas at run time. */
export const framework: string = fileURLToPath(
  new URL('../../../test/conformance/target.mjs', import.meta.url),
)

/** Runs each test file in a process of its own. */
export async function runFiles(
  files: readonly string[],
  options: RunOptions,
): Promise<Map<string, FileResult>> {
  const queue = [...files]
  const results = new Map<string, FileResult>()
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      results.set(file, await runFile(file, options))
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  return results
}

function runFile(file: string, options: RunOptions): Promise<FileResult> {
  const path = join(suiteDir, 'test', file)
  const start = performance.now()
  const child = spawn(
    process.execPath,
    // Some tests call V8's natives.
    ['--allow-natives-syntax', '--import', preload, path],
    { cwd: suiteDir, env: environment(file, options), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let tap = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (tap += text))
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (errors = (errors + text).slice(-4000)))
  const limit = setTimeout(() => child.kill('SIGKILL'), fileMs)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(limit)
      const complaint = code === 0 ? '' : errors
      resolve({ blocks: readBlocks(tap), ms: Math.round(performance.now() - start), complaint })
    })
  })
}

function environment(file: string, options: RunOptions): Record<string, string | undefined> {
  const foreign = /^(TAP_|PEER_)|^NODE_(OPTIONS|ENV|V8_COVERAGE)$/
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    NO_COLOR: '1',
    PEER_SUITE: suiteDir,
    PEER_CACHE_DIR: cacheDir,
    PEER_TEST_FILE: file,
    PEER_BLOCK_MS: String(options.blockMs ?? 5000),
    ...(options.target !== undefined && { PEER_TARGET: options.target }),
    ...(options.withoutCodegen !== undefined && { PEER_NO_CODEGEN: options.withoutCodegen }),
  }
}
