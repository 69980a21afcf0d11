/** The committed table, `table.json`: what passes, file by file. It may only rise. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Verdict } from './verdict.ts'

export interface Row {
  readonly area: string
  readonly portable: Count
  readonly internal: Count
  /** Titles of portable blocks that fail where not even the development compiler may generate code. */
  readonly needCompiler?: readonly string[]
}

/** Blocks that pass, and all blocks. */
export type Count = readonly [passed: number, all: number]

export type Table = Readonly<Record<string, Row>>

const tableFile = new URL('../../../test/conformance/table.json', import.meta.url)

export function readTable(): Table {
  return JSON.parse(readFileSync(tableFile, 'utf8')) as Table
}

/** Replaces what is known of some files. */
export function updateTable(changes: Readonly<Record<string, Partial<Row>>>): void {
  const rows: Record<string, Partial<Row>> = { ...readTable() }
  for (const [file, change] of Object.entries(changes)) rows[file] = { ...rows[file], ...change }
  const lines = Object.entries(rows).map(
    ([file, row]) => `${JSON.stringify(file)}: ${JSON.stringify(row)}`,
  )
  writeFileSync(tableFile, `{\n${lines.join(',\n')}\n}\n`)
}

export function toRow({ area, portable, internal }: Verdict): Row {
  return { area, portable: countOf(portable), internal: countOf(internal) }
}

export function countOf({ passed, failed }: Verdict['portable']): Count {
  return [passed.length, passed.length + failed.length]
}
