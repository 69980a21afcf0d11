/**
 * Makes a build cheap when little or nothing has changed since the last one.
 *
 * What is found here is trusted only when it is what was written, by this very compiler; anything else counts as
 * nothing. The bytes of the artifact are the same with and without it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { displayPath } from '../util/paths.ts'
import type { Output, ResolvedOptions } from '../model/index.ts'
import { isFileError } from '../util/source-files.ts'
import { compilerPrint } from './compiler-print.ts'
import type { BuildRecord, ScanRecord } from './record.ts'
import { changedFiles, digestsOf, environmentPrint, pathsOf, toRelative } from './record.ts'
import { readSealed, writeSealed } from './sealed.ts'

/** What the last build has left, in a folder of its own for each entry, output folder and set of options. */
export interface Cache {
  /** Of the compiler. */
  readonly print: string
  /** Where units are kept. */
  readonly unitFile: string
  /** Where answers to questions of the scan are kept. */
  readonly sliceFile: string
  /** Where it is kept what modules consist of. */
  readonly closureFile: string
  /** Where it is kept what packages are. */
  readonly packageFile: string
  /** What the last build wrote and told, when a build now would write and tell the same. */
  unchanged(): Unchanged | undefined
  /** What the last build went by, when nothing but the text of some files is another, and its scan is kept. */
  edited(): Edited | undefined
  /** Where it is kept what was scanned. */
  readonly scanFile: string
  /** Keeps what an application was built from, and into what. */
  keep(output: Output, known: Pick<BuildRecord, 'asked' | 'environment' | 'scan' | 'told'>): void
}

export interface Edited {
  readonly asked: BuildRecord['asked']
  /** What was scanned, and which files are others now than they were then. */
  readonly scan: ScanRecord
}

export interface Unchanged {
  readonly output: Output
  readonly told: BuildRecord['told']
  /** The paths that it depends on. Absolute. */
  readonly read: readonly string[]
}

export function openCache(options: ResolvedOptions): Cache {
  const { entry, root, out, ...rest } = options
  const name = JSON.stringify([displayPath(entry, root), displayPath(out, root), rest])
  const folder = join(root, 'node_modules/.cache/framework', digestOf(name))
  const recordFile = join(folder, 'build')
  const print = compilerPrint()
  const before = compare()
  return {
    print,
    unitFile: join(folder, 'units'),
    sliceFile: join(folder, 'slices'),
    closureFile: join(folder, 'closures'),
    packageFile: join(folder, 'packages'),
    scanFile: join(folder, 'scan'),
    unchanged,
    edited,
    keep,
  }

  function edited(): Edited | undefined {
    if (before === undefined) return undefined
    const { record, files } = before
    if (record.scan === undefined) return undefined
    const edited = new Set([...record.scan.edited, ...files.map((file) => toRelative(file, root))])
    return { asked: record.asked, scan: { ...record.scan, edited: [...edited] } }
  }

  function compare():
    | { readonly record: BuildRecord; readonly files: readonly string[] }
    | undefined {
    const content = readSealed(recordFile)
    if (content === undefined) return undefined
    const record = JSON.parse(content) as BuildRecord
    if (record.print !== print) return undefined
    if (record.environment !== undefined && record.environment !== environmentPrint())
      return undefined
    const files = changedFiles(record, root)
    return files && { record, files }
  }

  function unchanged(): Unchanged | undefined {
    if (before === undefined || before.files.length > 0) return undefined
    const { record } = before
    const parts = readAll(out, record.parts)
    const heads = readAll(out, record.heads)
    if (parts === undefined || heads === undefined) return undefined
    return {
      output: { parts, heads, bytes: sizeOf(parts) },
      told: record.told,
      read: pathsOf(record, root),
    }
  }

  function keep(
    { parts, heads }: Output,
    known: Pick<BuildRecord, 'asked' | 'environment' | 'scan' | 'told'>,
  ): void {
    const record: BuildRecord = {
      print,
      ...known,
      parts: digestsOf(parts),
      heads: digestsOf(heads),
    }
    writeSealed(recordFile, JSON.stringify(record))
  }
}

/** The files of an artifact as they lie on the disk; `undefined` unless all are as they were written. */
function readAll(
  folder: string,
  digests: Readonly<Record<string, string>>,
): Map<string, string> | undefined {
  const files = new Map<string, string>()
  for (const [file, digest] of Object.entries(digests)) {
    const content = readIfThere(join(folder, file))
    if (content === undefined || digestOf(content) !== digest) return undefined
    files.set(file, String(content))
  }
  return files
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isFileError(error)) return undefined
    throw error
  }
}

function sizeOf(parts: ReadonlyMap<string, string>): number {
  let bytes = 0
  for (const content of parts.values()) bytes += Buffer.byteLength(content)
  return bytes
}
