/**
 * Makes a build cheap when little or nothing has changed since the last one.
 *
 * A cache file is used only if it is intact and was written by the same build of the compiler. The bytes of the artifact are the same
 * with and without the cache.
 */
import { join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Output, ResolvedOptions } from '../model/index.ts'
import { nodeConditions } from '../util/node-conditions.ts'
import { displayPath } from '../util/paths.ts'
import type { BuildRecord } from './build-record.ts'
import { digestsOf, environmentFingerprint, isUpToDate, pathsOf } from './build-record.ts'
import { readChecksummed, readIfThere, writeChecksummed } from './checksummed-file.ts'

/** The folder of one entry, output folder and set of options. */
export interface Cache {
  readonly root: string
  readonly folder: string
  /** The last build, if a build would write and report the same now. */
  lastBuild(): LastBuild | undefined
  record(output: Output, build: Pick<BuildRecord, 'reads' | 'environment' | 'result'>): void
}

export interface LastBuild {
  readonly output: Output
  readonly result: BuildRecord['result']
  /** Absolute paths of everything that it read. */
  readonly read: readonly string[]
}

/** Returns the cache for a build; `undefined` if it has none. */
export function cacheFor(options: ResolvedOptions): Cache | undefined {
  // A booted application depends on more than its files.
  return options.cache && !options.trace && !options.verify ? openCache(options) : undefined
}

function openCache(options: ResolvedOptions): Cache {
  const { entry, root, out, server, ...rest } = options
  const paths = [entry, out].map((path) => displayPath(path, root))
  const key = JSON.stringify([...paths, server?.name, rest, nodeConditions(root)])
  const folder = join(root, 'node_modules/.cache/framework', digestOf(key))
  const file = join(folder, 'build')
  return { root, folder, lastBuild, record }

  function lastBuild(): LastBuild | undefined {
    const last = readChecksummed<BuildRecord>(file)
    if (last === undefined) return undefined
    const { environment, result } = last
    if (environment !== undefined && environment !== environmentFingerprint()) return undefined
    if (!isUpToDate(last, root)) return undefined
    const parts = readAll(out, last.parts)
    const entryFiles = readAll(out, last.entryFiles)
    if (parts === undefined || entryFiles === undefined) return undefined
    return {
      output: { parts, entryFiles, bytes: Buffer.byteLength([...parts.values()].join('')) },
      result,
      read: pathsOf(last, root),
    }
  }

  function record(
    { parts, entryFiles }: Output,
    build: Pick<BuildRecord, 'reads' | 'environment' | 'result'>,
  ): void {
    const written = { parts: digestsOf(parts), entryFiles: digestsOf(entryFiles) }
    writeChecksummed(file, { ...build, ...written } satisfies BuildRecord)
  }
}

/** The files of an artifact on the disk; `undefined` unless all of them are as they were written. */
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
