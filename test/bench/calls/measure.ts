/** What a call of a compiled function costs, against the function that Fastify compiles in process. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { fileURLToPath } from 'node:url'
import { createEmitter, separate } from '../../../compiler/4-emit/index.ts'
import { chunkSource, createChunks } from '../../../compiler/5-bundle/chunks.ts'
import { createPacker } from '../../../compiler/5-bundle/pack.ts'
import { cases } from './cases.ts'
import type { Line } from '../../../runtime/artifact/lines.ts'
import type { Findings } from './child.ts'

const child = fileURLToPath(new URL('child.js', import.meta.url))
const folder = fileURLToPath(new URL('../../../bench/calls', import.meta.url))

/** Medians, in nanoseconds for a call. */
export interface CallCost {
  readonly emitted: number
  readonly inProcess: number
  /** Emitted by in process: the median of the ratios of neighbouring processes. */
  readonly alone: number
  /** The same where the process has called all functions of the kind. */
  readonly among: number
}

/**
 * `line` says whose functions are compiled in process: those of the Fastify that the runtime answers like, or of a later one.
 * In each round both contestants get a process for each case, and one for all cases of a kind; who comes first changes
 * with the round.
 */
export async function measureCalls(
  rounds: number,
  filters: readonly string[] = [],
  line: Line = 'framework',
): Promise<ReadonlyMap<string, CallCost>> {
  const titles = Object.keys(cases).filter(
    (title) => filters.length === 0 || filters.some((filter) => title.includes(filter)),
  )
  const chunk = await writeChunk()
  const kinds = [...new Set(titles.map(kindOf))]
  const alone = new Map<string, Pair[]>()
  const among = new Map<string, Pair[]>()
  for (let round = 0; round < rounds; round++) {
    for (const title of titles) add(alone, compare(chunk, [title], round, line))
    for (const kind of kinds) {
      const all = Object.keys(cases).filter((title) => kindOf(title) === kind)
      add(among, compare(chunk, all, round, line))
    }
  }
  return new Map(titles.map((title) => [title, costOf(alone.get(title), among.get(title))]))
}

interface Pair {
  readonly emitted: number
  readonly inProcess: number
}

function kindOf(title: string): string | undefined {
  return cases[title]?.unit.kind
}

function add(to: Map<string, Pair[]>, pairs: ReadonlyMap<string, Pair>): void {
  for (const [title, pair] of pairs) to.set(title, [...(to.get(title) ?? []), pair])
}

function costOf(alone: readonly Pair[] = [], among: readonly Pair[] = []): CallCost {
  const ratio = ({ emitted, inProcess }: Pair): number => emitted / inProcess
  return {
    emitted: median(alone.map(({ emitted }) => emitted)),
    inProcess: median(alone.map(({ inProcess }) => inProcess)),
    alone: median(alone.map(ratio)),
    among: median(among.map(ratio)),
  }
}

function compare(
  chunk: string,
  titles: readonly string[],
  round: number,
  line: Line,
): ReadonlyMap<string, Pair> {
  const order = round % 2 === 0 ? ['emitted', line] : [line, 'emitted']
  const found = new Map(order.map((one) => [one, run(one, chunk, titles)]))
  const [emitted, inProcess] = [found.get('emitted'), found.get(line)]
  const pairs = new Map<string, Pair>()
  for (const title of titles) {
    const [a, b] = [emitted?.outcomes[title], inProcess?.outcomes[title]]
    if (!isDeepStrictEqual(a, b))
      throw new Error(`${title}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`)
    pairs.set(title, {
      emitted: emitted?.ns[title] ?? NaN,
      inProcess: inProcess?.ns[title] ?? NaN,
    })
  }
  return pairs
}

function run(contestant: string, chunk: string, titles: readonly string[]): Findings {
  const args = [child, contestant, chunk, JSON.stringify(titles)]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${contestant}, ${titles.join(', ')}:\n${stderr}`)
  return JSON.parse(stdout) as Findings
}

/** All functions in one file, as an artifact holds them. */
async function writeChunk(): Promise<string> {
  const emitter = createEmitter()
  const pack = createPacker()
  const units = Object.values(cases).map(({ unit }) => pack(separate(emitter.emit(unit))))
  const chunks = createChunks(units)
  const all = Object.keys(cases)
  mkdirSync(folder, { recursive: true })
  chunks.forEach((chunk, i) => writeFileSync(`${folder}/chunk${i}.cjs`, chunkSource(chunk)))
  const files = chunks.map((_, i) => `require('./chunk${i}.cjs')(internals)`)
  const index = `${folder}/index.cjs`
  writeFileSync(
    index,
    `exports.all=${JSON.stringify(all)}\nexports.makers=internals=>[${files.join()}].flat()\n`,
  )
  return index
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

/** One row for each case, for `console.table`. */
export function tableOf(costs: ReadonlyMap<string, CallCost>): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...costs].map(([title, { emitted, inProcess, alone, among }]) => [
      title,
      {
        emitted: Math.round(emitted),
        'in process': Math.round(inProcess),
        'ratio, alone': Math.round(100 * alone) / 100,
        'ratio, among others': Math.round(100 * among) / 100,
      },
    ]),
  )
}
