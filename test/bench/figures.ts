/** Figures of benchmarks that pages show: each benchmark saves its own with `--save`, `npm run docs:charts` draws them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'

/** A bar chart: groups of bars, of which each is a contestant. */
export interface Figures {
  readonly title: string
  /** The unit of the values, and which direction is better. */
  readonly unit: string
  /** The command that measures them. */
  readonly command: string
  readonly groups: readonly Group[]
}

interface Group {
  readonly label: string
  readonly bars: readonly { readonly name: string; readonly value: number }[]
}

const data = join(root, 'docs/measurements/data')

/** Saves the figures under a name, which the drawn files get too. */
export function saveFigures(name: string, figures: Figures): void {
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
}

export function savedFigures(): ReadonlyMap<string, Figures> {
  const files = readdirSync(data).sort()
  return new Map(
    files.map((file): [string, Figures] => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(data, file), 'utf8')) as Figures,
    ]),
  )
}

export function chartFile(name: string, scheme: string): string {
  return join(root, `docs/public/images/${name}-${scheme}.svg`)
}

/** The middle value; of an even number of them, the upper one of the middle two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
