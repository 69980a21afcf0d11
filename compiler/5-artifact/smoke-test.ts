import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompileUnit, Digest, PackedUnit } from '../model/index.ts'
import { chunkSource, createChunks } from './chunks.ts'
import { sampleValue } from './sample-value.ts'
import type { SmokeFailure, SmokeJob, SmokeMessage, SmokeRun } from './smoke-test-child.ts'

/** Milliseconds for one chunk. Only a function that doesn't return takes longer. */
const TIMEOUT = 60_000

const FLAGS = ['--disallow-code-generation-from-strings']

/**
 * Calls compiled functions in a process with code generation disabled, so that something missing or forbidden fails the build instead
 * of the first request.
 */
export class SmokeTest {
  #child: ChildProcess | undefined

  /** Starts the process ahead of `run`, because that takes as long as compiling a few schemas. */
  start(): ChildProcess {
    const file = fileURLToPath(new URL('./smoke-test-child.js', import.meta.url))
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    return (this.#child ??= fork(file, { execArgv: FLAGS, stdio: [...stdio] }))
  }

  /** @param userModules the result of `bundleUserModules` @returns reasons of failures, by digest */
  async run(
    packed: readonly PackedUnit[],
    units: ReadonlyMap<Digest, CompileUnit>,
    userModules: string,
  ): Promise<ReadonlyMap<Digest, string>> {
    if (packed.length === 0) return new Map()
    const folder = mkdtempSync(join(tmpdir(), 'framework-smoke-test-'))
    try {
      const write = (name: string, code: string): void => writeFileSync(join(folder, name), code)
      write('user.mjs', userModules)
      const chunks = createChunks(packed)
      for (const [i, chunk] of chunks.entries()) write(`${i}.cjs`, chunkSource(chunk))
      const jobs = packed.map((unit) => jobOf(unit, units.get(unit.digest)))
      write('jobs.json', JSON.stringify(jobs))
      const counts = chunks.map(({ digests }) => digests.length)
      const failures = await callAll(this.start(), { folder, counts })
      return new Map(failures.map(({ index, reason }) => [jobs[index]?.digest ?? '', reason]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  end(): void {
    this.#child?.kill()
    this.#child = undefined
  }
}

function jobOf({ digest, userImports }: PackedUnit, unit: CompileUnit | undefined): SmokeJob {
  if (unit === undefined) throw new RangeError(`No unit ${digest}`)
  const value = sampleValue(unit.schema, unit.externals) ?? null
  // Functions of the application may fail with other values.
  const others = userImports.length > 0 ? [] : [null, {}, [], 'a', 1, true]
  return { digest, values: [value, ...others] }
}

/** Lets the process call the functions in `run.folder`. */
function callAll(child: ChildProcess, run: SmokeRun): Promise<readonly SmokeFailure[]> {
  const timer = setTimeout(() => child.kill(), TIMEOUT)
  return new Promise<readonly SmokeFailure[]>((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
    child.on('message', (message: SmokeMessage) => {
      if (message === 'alive') timer.refresh()
      else resolve(message)
    })
    child.once('error', reject)
    // At `exit`, output may still be unread.
    child.once('close', (code, signal) =>
      reject(
        new Error(`The compiled functions could not be called (${code ?? signal}): ${output}`),
      ),
    )
    child.send(run, (error) => error && reject(error))
  }).finally(() => clearTimeout(timer))
}
