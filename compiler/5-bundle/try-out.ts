import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompileUnit, Digest, PackedUnit } from '../model/index.ts'
import { chunkSource, createChunks, optionOf } from './chunks.ts'
import { sampleValue } from './sample-value.ts'
import type { Told, TriedFailure, Trial, TryJob } from './try-out-child.ts'
import type { UserModules } from './user-modules.ts'

/** A function that does not return, and no chunk of others, takes so long. Milliseconds. */
const PATIENCE = 60_000

const FLAGS = ['--disallow-code-generation-from-strings']

/**
 * Calls functions in a process that evaluates no strings, as the one that will serve: what is missing or forbidden there
 * shows now instead of with the first request.
 */
export class TryOut {
  #child: ChildProcess | undefined

  /** Starts the process, when it is known that there will be something to try: that takes as long as compiling a few schemas. */
  start(): ChildProcess {
    const file = fileURLToPath(new URL('./try-out-child.js', import.meta.url))
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    return (this.#child ??= fork(file, { execArgv: FLAGS, stdio: [...stdio] }))
  }

  /** @returns what went wrong, by digest */
  async run(
    packed: readonly PackedUnit[],
    units: ReadonlyMap<Digest, CompileUnit>,
    userModules: UserModules,
  ): Promise<ReadonlyMap<Digest, string>> {
    if (packed.length === 0) return new Map()
    const folder = mkdtempSync(join(tmpdir(), 'framework-try-'))
    try {
      const write = (name: string, code: string): void => writeFileSync(join(folder, name), code)
      const refs = packed.flatMap(({ userImports }) => userImports.map(({ ref }) => ref))
      const options = refs.map((ref) => [JSON.stringify(optionOf(ref)), userModules.nameOf(ref)])
      write('options.json', JSON.stringify(Object.fromEntries(options)))
      write('user.mjs', userModules.code ?? '')
      const chunks = createChunks(packed)
      for (const [i, chunk] of chunks.entries()) write(`${i}.cjs`, chunkSource(chunk))
      const jobs = packed.map((unit) => jobOf(unit, units.get(unit.digest)))
      write('jobs.json', JSON.stringify(jobs))
      const failures = await ask(this.start(), { folder, chunkCount: chunks.length })
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

function jobOf({ digest, userImports }: PackedUnit, unit: CompileUnit | undefined): TryJob {
  if (unit === undefined) throw new RangeError(`No unit ${digest}`)
  const value = sampleValue(unit.schema, unit.externals) ?? null
  // Functions of the application expect what they were written for.
  const others = userImports.length > 0 ? [] : [null, {}, [], 'a', 1, true]
  return { digest, values: [value, ...others] }
}

function ask(child: ChildProcess, trial: Trial): Promise<readonly TriedFailure[]> {
  const late = setTimeout(() => child.kill(), PATIENCE)
  return new Promise<readonly TriedFailure[]>((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
    child.on('message', (told: Told) => {
      if (told === 'alive') late.refresh()
      else resolve(told)
    })
    child.once('error', reject)
    // Not when it ends: what it has said may still have to be read.
    child.once('close', (code, signal) =>
      reject(new Error(`The compiled functions could not be tried (${code ?? signal}): ${said}`)),
    )
    child.send(trial, (error) => error && reject(error))
  }).finally(() => clearTimeout(late))
}
