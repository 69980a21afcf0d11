import { countOf, type Count } from './table.ts'
import type { Verdict } from './verdict.ts'

/** Prints how much passes, area by area. */
export function printAreas(verdicts: readonly Verdict[]): void {
  const areas = [...new Set(verdicts.map(({ area }) => area))].sort()
  print('area', 'portable blocks', 'internal blocks')
  for (const area of areas)
    printSum(
      area,
      verdicts.filter((verdict) => verdict.area === area),
    )
  printSum('all', verdicts)
}

export function printFailures(verdicts: readonly Verdict[]): void {
  for (const { file, portable } of verdicts) {
    portable.failed.forEach((title) => console.log(`not ok ${file}: ${title}`))
  }
}

function printSum(name: string, verdicts: readonly Verdict[]): void {
  const sum = (counts: readonly Count[]): string => {
    const passed = counts.reduce((total, [each]) => total + each, 0)
    const all = counts.reduce((total, [, each]) => total + each, 0)
    return all === 0 ? '-' : `${passed}/${all} ${((100 * passed) / all).toFixed(1)} %`
  }
  print(
    name,
    sum(verdicts.map(({ portable }) => countOf(portable))),
    sum(verdicts.map(({ internal }) => countOf(internal))),
  )
}

function print(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(16) + cells.map((cell) => cell.padStart(20)).join(''))
}
