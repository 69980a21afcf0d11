/** Runs a test suite on the original and on ours: what passes there must pass here. */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { readBlocks } from './blocks.ts'
import type { SuiteLine } from './suite.ts'

/** A test suite that was written for another package, the original. */
export interface Suite {
  readonly files: readonly string[]
  start(file: string, subject: 'original' | 'ours'): Start
  /** Tests that pass on the original and not here, by file. */
  readonly knownDifferences: Readonly<Record<string, readonly KnownDifference[]>>
}

export interface Start {
  readonly cwd: string
  /** Flags of Node and the path of the file. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface KnownDifference {
  readonly title: RegExp
  readonly reason: string
}

/** How long a file may take, in milliseconds. */
const TIMEOUT = 120_000

/** Returns the line that `--line` names, Fastify 4 by default. */
export function chosenLine(): SuiteLine {
  const { line = '4' } = parseArgs({ options: { line: { type: 'string' } }, strict: false }).values
  if (line === '4' || line === '5') return line
  throw new Error('--line takes 4 or 5')
}

/**
 * Prints how many tests pass, by the folder of their files. A run fails if a test passes on the original alone and isn't a known
 * difference, or if a known difference passes.
 *
 * `--files a,b` takes only files whose path contains one of the words; `--jobs 2` runs so many at once.
 */
export async function compareSuite(suite: Suite): Promise<void> {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      'no-codegen': { type: 'boolean' },
      line: { type: 'string' },
    },
  })
  const words = values.files.split(',')
  const files = suite.files.filter((file) => words.some((word) => file.includes(word)))
  const jobs = Number(values.jobs)
  const expected = await runFiles(suite, files, 'original', jobs)
  const actual = await runFiles(suite, files, 'ours', jobs)
  const lostIn = (file: string): string[] =>
    [...(expected.get(file) ?? [])].filter((title) => !actual.get(file)?.has(title))
  // On a busy machine a test that waits for time may need a second attempt.
  const losing = files.filter((file) => lostIn(file).length > 0)
  for (const [file, passed] of await runFiles(suite, losing, 'ours', 1)) {
    actual.set(file, new Set([...passed, ...(actual.get(file) ?? [])]))
  }
  print(files, expected, lostIn)
  const complaints = files.flatMap((file) =>
    complaintsOf(file, lostIn(file), suite.knownDifferences[file] ?? []),
  )
  complaints.forEach((complaint) => console.error(complaint))
  process.exitCode = complaints.length === 0 && files.length > 0 ? 0 : 1
}

/** Titles of the tests that pass, by file. */
type Passed = Map<string, ReadonlySet<string>>

async function runFiles(
  suite: Suite,
  files: readonly string[],
  subject: 'original' | 'ours',
  jobs: number,
): Promise<Passed> {
  const queue = [...files]
  const results: Passed = new Map()
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      results.set(file, await runFile(suite.start(file, subject)))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

function runFile({ cwd, args, env }: Start): Promise<ReadonlySet<string>> {
  const foreign = /^(TAP_|PEER_)|^NODE_(OPTIONS|ENV|V8_COVERAGE)$/
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
  })
  let tap = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (tap += text))
  return new Promise((resolve) => {
    child.on('close', () => {
      resolve(new Set(readBlocks(tap).flatMap(({ title, ok }) => (ok ? [title] : []))))
    })
  })
}

function print(
  files: readonly string[],
  expected: Passed,
  lostIn: (file: string) => readonly string[],
): void {
  const counts = new Map<string, { all: number; lost: number }>()
  for (const file of files) {
    for (const group of new Set([file.includes('/') ? file.replace(/\/.*/, '') : '.', 'all'])) {
      const count = counts.get(group) ?? { all: 0, lost: 0 }
      counts.set(group, count)
      count.all += expected.get(file)?.size ?? 0
      count.lost += lostIn(file).length
    }
  }
  for (const [group, { all, lost }] of counts)
    console.log(`${group.padEnd(20)}${`${all - lost}/${all}`.padStart(10)}`)
}

function complaintsOf(file: string, lost: readonly string[], known: readonly KnownDifference[]) {
  return [
    ...lost
      .filter((test) => !known.some(({ title }) => title.test(test)))
      .map((test) => `not ok ${file}: ${test}`),
    ...known
      .filter(({ title }) => !lost.some((test) => title.test(test)))
      .map(({ title }) => `${file}: ${title} is a known difference, but passes`),
  ]
}
