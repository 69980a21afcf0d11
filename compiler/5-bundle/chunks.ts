import type { Digest, EmittedUnit } from '../model.ts'
import { createMaker } from './makers.ts'
import type { UserModules } from './user-modules.ts'

/** Functions that share a file. */
export interface Chunk {
  readonly digests: readonly Digest[]
  /** One expression per digest. */
  readonly makers: readonly string[]
  /** Names that the makers take from `framework/internal`, sorted. */
  readonly imports: readonly string[]
  /** Names that the makers take from the bundled user modules, sorted. */
  readonly userImports: readonly string[]
}

/**
 * Code of this many characters goes into one file. Small enough that a first request reads little that it does
 * not need, large enough that there are few files.
 */
const CHUNK_SIZE = 32 * 1024

/** Packs units into chunks, in their order. */
export async function createChunks(
  units: readonly EmittedUnit[],
  userModules: UserModules,
): Promise<readonly Chunk[]> {
  const makers = await Promise.all(units.map(createMaker))
  const groups: { unit: EmittedUnit; maker: string }[][] = []
  let size = CHUNK_SIZE
  units.forEach((unit, i) => {
    const maker = withUserImports(makers[i] as string, unit, userModules)
    if (size >= CHUNK_SIZE) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push({ unit, maker })
    size += maker.length
  })
  return groups.map((group) => ({
    digests: group.map(({ unit }) => unit.digest),
    makers: group.map(({ maker }) => maker),
    imports: unique(group.flatMap(({ unit }) => unit.imports)),
    userImports: unique(
      group.flatMap(({ unit }) => unit.userImports.map(({ ref }) => userModules.nameOf(ref))),
    ),
  }))
}

/** Two units may use the same local name for different user functions. */
function withUserImports(maker: string, unit: EmittedUnit, userModules: UserModules): string {
  if (unit.userImports.length === 0) return maker
  const locals = unit.userImports.map(({ local }) => local)
  const names = unit.userImports.map(({ ref }) => userModules.nameOf(ref))
  return `((${locals.join()})=>${maker})(${names.join()})`
}

/**
 * The source of one file with the functions of `chunks`, and what it exports or does with them.
 *
 * Put together as text: the code stands on its own already, and parsing megabytes of it once more would be most
 * of a build's time.
 *
 * @param userSpecifier where the bundled user modules are, as seen from that file
 */
export function chunkSource(
  chunks: readonly Chunk[],
  userSpecifier: string,
  use: (functions: string) => string,
  internals: readonly string[] = [],
): string {
  const imports = unique([...internals, ...chunks.flatMap((chunk) => chunk.imports)])
  const userImports = unique(chunks.flatMap((chunk) => chunk.userImports))
  const makers = chunks.flatMap((chunk) => chunk.makers)
  return [
    imports.length > 0 ? `import{${imports.join()}}from'framework/internal'\n` : '',
    userImports.length > 0 ? `import{${userImports.join()}}from'${userSpecifier}'\n` : '',
    use(`[\n${makers.join(',\n')}\n]`),
    '\n',
  ].join('')
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}
