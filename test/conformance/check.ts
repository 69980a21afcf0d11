import { knownDifferences } from './known-differences.ts'
import type { Table } from './table.ts'
import type { Verdict } from './verdict.ts'

/** Portable blocks fail if and only if they are known to. */
export function compareWithKnown(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ file, portable }) =>
    compareTitles(file, portable.failed, Object.keys(knownDifferences[file] ?? {}), {
      unlisted: 'does not pass and is no known difference',
      stale: 'is a known difference, but it passes or is gone',
    }),
  )
}

/** As many blocks pass as did when the table was written, or more. */
export function compareWithTable(verdicts: readonly Verdict[], table: Table): string[] {
  return verdicts.flatMap(({ file, portable, internal }) => {
    const row = table[file]
    if (row === undefined) return [`${file}: not in the table`]
    const fallen = (['portable', 'internal'] as const).filter(
      (kind) => ({ portable, internal })[kind].passed.length < row[kind][0],
    )
    return fallen.map(
      (kind) =>
        `${file}: ${{ portable, internal }[kind].passed.length} ${kind} blocks pass, the table has ${row[kind][0]}`,
    )
  })
}

/** Nothing needs the compiler but what the table lists. */
export function compareNeeds(
  needs: Readonly<Record<string, readonly string[]>>,
  table: Table,
): string[] {
  return Object.entries(needs).flatMap(([file, titles]) =>
    compareTitles(file, titles, table[file]?.needCompiler ?? [], {
      unlisted: 'passes only if the development compiler may generate code, which is new',
      stale: 'is listed as in need of the compiler, but is not',
    }),
  )
}

function compareTitles(
  file: string,
  found: readonly string[],
  listed: readonly string[],
  what: { readonly unlisted: string; readonly stale: string },
): string[] {
  return [
    ...found
      .filter((title) => !listed.includes(title))
      .map((title) => `${file}: "${title}" ${what.unlisted}`),
    ...listed
      .filter((title) => !found.includes(title))
      .map((title) => `${file}: "${title}" ${what.stale}`),
  ]
}
