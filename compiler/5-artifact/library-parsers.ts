/** Parsers of schema libraries' types, as functions of the artifact. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { LineName } from '../../runtime/artifact/lines.ts'
import { contextPaths } from '../report/context-path.ts'
import type {
  ContextTree,
  Digest,
  LibraryPart,
  PackedUnit,
  ResolvedOptions,
} from '../model/index.ts'

export interface LibraryModule {
  readonly specifier: string
  readonly members: ReadonlySet<string>
}

export interface LibraryParsers {
  readonly packed: readonly PackedUnit[]
  /** Modules that the artifact imports, by name of the library, with the members that its parsers use. */
  readonly modules: ReadonlyMap<string, LibraryModule>
  /** Digests of the parsers that the server uses. */
  readonly digests: ReadonlySet<Digest>
  /** Why it doesn't use the others. */
  readonly absence: string
}

/**
 * Only the runtime of this package attaches parsers, and only where the artifact finds the library. The runtime may also serve an
 * application on Fastify 5 that was built for Fastify itself: with `framework/fastify`.
 */
export function libraryParsersOf(
  tree: ContextTree,
  { factory, line, out }: Pick<ResolvedOptions, 'factory' | 'line' | 'out'>,
): LibraryParsers {
  const modules = new Map<string, LibraryModule>()
  const packed = new Map<Digest, PackedUnit>()
  const isUsed = factory !== 'fastify'
  for (const { library, parser } of line === 'fastify@4' ? [] : typesIn(tree)) {
    if (parser === undefined || packed.has(parser.digest) || !isFound(parser.module, out)) continue
    const { digest, module: specifier, members, maker, imports } = parser
    const known = modules.get(library)?.members ?? []
    modules.set(library, { specifier, members: new Set([...known, ...members]) })
    packed.set(digest, { digest, maker, imports, userImports: [], shared: [], size: maker.length })
  }
  return {
    packed: [...packed.values()],
    modules,
    digests: new Set(isUsed ? packed.keys() : []),
    absence: isUsed ? 'its library is not found from the folder of the artifact' : unused(line),
  }
}

function unused(line: LineName): string {
  return line === 'fastify@5'
    ? 'Fastify itself does not use compiled parsers, `framework/fastify` in its place does'
    : 'applications on Fastify itself have no parsers'
}

function typesIn(tree: ContextTree): readonly LibraryPart[] {
  return [...contextPaths(tree)].flatMap(([{ routes }]) =>
    routes
      .flatMap((route) => [route, ...(route.twins ?? [])])
      .flatMap(({ libraries }) => Object.values(libraries).flat()),
  )
}

function isFound(specifier: string, folder: string): boolean {
  try {
    createRequire(join(folder, 'index.mjs')).resolve(specifier)
    return true
  } catch {
    return false
  }
}
