import type { NodeRelease, Workload } from './contestants.ts'
import type { Cost } from '../startup.ts'

export type CostOf = (name: string, workload: Workload, node: NodeRelease) => Cost | undefined

const units: Readonly<Record<keyof Cost, string>> = { cpu: 'CPU ms', rss: 'RSS MB' }

/** Prints in Markdown what the first contestant costs, and the others beyond it: a row each, and a column for each Node. */
export function printTable(
  nodes: readonly NodeRelease[],
  workloads: readonly Workload[],
  names: readonly string[],
  costOf: CostOf,
): void {
  const [raw = ''] = names
  const head = [
    `over ${raw}, ${workloads.join(' / ')} ${workloads.includes('realistic') ? 'application' : 'routes'}`,
    ...Object.values(units).flatMap((unit) => nodes.map(({ major }) => `${unit}, Node ${major}`)),
  ]
  const rows = names.map((name) => [
    name === raw ? `${raw}, in all` : name,
    ...(Object.keys(units) as (keyof Cost)[]).flatMap((what) =>
      nodes.map((node) => workloads.map((one) => cellOf(name, one, node, what)).join(' / ')),
    ),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  console.log([head, rule, ...rows].map(line).join('\n'), '\n')

  function cellOf(name: string, workload: Workload, node: NodeRelease, what: keyof Cost): string {
    const cost = costOf(name, workload, node)
    return cost === undefined ? '–' : String(Math.round(cost[what]))
  }
}
