/** Finds all files that modules import, so that caches notice when one of them changes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { followImports, isStart, type Start } from '../util/follow-imports.ts'
import { packageRootOf } from '../util/paths.ts'
import { readAgain, type ObservedRead } from '../util/source-files.ts'
import { installationReads } from './build-record.ts'

/** A module whose imports are followed, or the code of one. */
export interface ClosureEntry {
  readonly specifier: string
  readonly importer: string
  readonly code?: string | undefined
}

/** All files that some modules import, directly or not. */
export interface Closure {
  /** Absolute, sorted, each with the package.json of its package. */
  readonly files: readonly string[]
  /** True if their results depend on these files alone. */
  readonly isComplete: boolean
  /** Reads whose results stay the same while the closure is up to date. */
  readonly reads: readonly ObservedRead[]
}

export interface Closures {
  of(entries: readonly ClosureEntry[]): Promise<Closure>
  /** The reads that they depend on. */
  reads(): Iterable<ObservedRead>
}

export function createClosures(): Closures {
  const closures = new Map<string, Closure>()
  return {
    async of(entries) {
      const parts = entries.map(({ specifier, importer, code }) => [specifier, importer, code])
      const key = JSON.stringify(parts)
      const closure = closures.get(key) ?? (await closureOf(entries))
      closures.set(key, closure)
      return closure
    },
    reads: () => [...closures.values()].flatMap(({ reads }) => reads),
  }
}

/** Modules of Node that let code read more than imports show. */
const READERS: ReadonlySet<string> = new Set(
  'child_process dgram dns fs fs/promises http http2 https net os tls worker_threads'.split(' '),
)

/** Follows imports and `require` calls, without running anything. */
async function closureOf(entries: readonly ClosureEntry[]): Promise<Closure> {
  if (entries.length === 0) return { files: [], isComplete: true, reads: [] }
  // Node ignores the application's tsconfig.
  const { inputs, isJavaScript } = await followImports(entries.map(toStart), { tsconfigRaw: {} })
  if (!isJavaScript) return { files: [], isComplete: false, reads: [] }
  const files = new Set<string>()
  let isComplete = true
  for (const [input, { imports }] of Object.entries(inputs)) {
    isComplete &&= !imports.some(({ path }) => READERS.has(path.replace(/^node:/, '')))
    if (isStart(input)) continue
    const file = resolve(input)
    files.add(file)
    const root = packageRootOf(file)
    if (root !== undefined) files.add(resolve(root, 'package.json'))
  }
  const importers = entries.map(({ importer }) => importer)
  const reads = [
    ...[...files].map((one) => ['text', one] as const),
    ...installationReads([...importers, ...files]),
  ].map(([kind, path]): ObservedRead => [kind, path, readAgain(kind, path)])
  return { files: [...files].sort(), isComplete, reads }
}

export function closureFingerprint({ files }: Closure): string {
  return digestOf(files.map((file) => `${file}\n${readFileSync(file, 'utf8')}`).join('\n'))
}

function toStart({ specifier, importer, code }: ClosureEntry): Start {
  const name = JSON.stringify(specifier)
  // A package may have different files for `import` and `require`.
  return { importer, code: code ?? `import ${name}; require(${name})` }
}
