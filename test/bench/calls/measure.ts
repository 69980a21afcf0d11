/** What a call of a compiled function costs, against the function that Fastify compiles in process. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createEmitter, separate } from '../../../compiler/4-emit/index.ts'
import { chunkSource, createChunks } from '../../../compiler/5-bundle/chunks.ts'
import { createPacker } from '../../../compiler/5-bundle/pack.ts'
import { cases } from './cases.ts'
import type { Line } from '../../../runtime/artifact/lines.ts'
import { median } from '../median.ts'
import { compare, type Pair } from './turns.ts'

const folder = fileURLToPath(new URL('../../../bench/calls', import.meta.url))

/** Medians, in nanoseconds for a call. */
export interface CallCost {
  readonly emitted: number
  readonly inProcess: number
  /** Emitted by in process: the median of the ratios of the rounds. */
  readonly alone: number
  /** The same where the process has called all functions of the kind. */
  readonly among: number
}

/** What is measured, and on what. */
export interface Measured {
  /** How many pairs of processes each case gets. */
  readonly rounds: number
  /** Cases that have one of these in their title; without any, all. */
  readonly filters?: readonly string[]
  /** Whose functions are compiled in process: those of the Fastify that the runtime answers like, unless a later one is named. */
  readonly line?: Line
  /** The file of Node; else the one that runs this. */
  readonly node?: string
}

/**
 * In each round both contestants get a process for each case, and one for all cases of a kind. The two processes
 * measure in turns, as the speed of a shared machine changes from one second to the next.
 */
export async function measureCalls({
  rounds,
  filters = [],
  line = 'framework',
  node = process.execPath,
}: Measured): Promise<ReadonlyMap<string, CallCost>> {
  const titles = Object.keys(cases).filter(
    (title) => filters.length === 0 || filters.some((filter) => title.includes(filter)),
  )
  const contestants = { chunk: await writeChunk(), line, node }
  const kinds = [...new Set(titles.map(kindOf))]
  const alone = new Map<string, Pair[]>()
  const among = new Map<string, Pair[]>()
  for (let round = 0; round < rounds; round++) {
    for (const title of titles) add(alone, await compare(contestants, [title]))
    for (const kind of kinds) {
      const all = Object.keys(cases).filter((title) => kindOf(title) === kind)
      add(among, await compare(contestants, all))
    }
  }
  return new Map(titles.map((title) => [title, costOf(alone.get(title), among.get(title))]))
}

function kindOf(title: string): string | undefined {
  return cases[title]?.unit.kind
}

function add(to: Map<string, Pair[]>, pairs: ReadonlyMap<string, Pair>): void {
  for (const [title, pair] of pairs) to.set(title, [...(to.get(title) ?? []), pair])
}

function costOf(alone: readonly Pair[] = [], among: readonly Pair[] = []): CallCost {
  return {
    emitted: median(alone.map(({ emitted }) => emitted)),
    inProcess: median(alone.map(({ inProcess }) => inProcess)),
    alone: median(alone.map(({ ratio }) => ratio)),
    among: median(among.map(({ ratio }) => ratio)),
  }
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
