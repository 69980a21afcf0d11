import { transform } from 'esbuild'
import type { Digest, EmittedUnit } from '../model.ts'

/** Units whose functions share a file. */
export interface Chunk {
  /** An ES module that exports `functions`: one maker per unit, in order. */
  readonly source: string
  readonly digests: readonly Digest[]
}

/**
 * Code of this many characters goes into one file, before it is minified; a third of it remains. Small enough
 * that a first request reads little that it does not need, large enough that there are few files.
 */
const CHUNK_SIZE = 96 * 1024

/** Packs units into chunks, in their order, and minifies each. */
export function createChunks(emitted: readonly EmittedUnit[]): Promise<readonly Chunk[]> {
  const groups: EmittedUnit[][] = []
  let size = CHUNK_SIZE
  for (const unit of emitted) {
    if (size >= CHUNK_SIZE) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(unit)
    size += unit.code.length
  }
  return Promise.all(groups.map(createChunk))
}

async function createChunk(units: readonly EmittedUnit[]): Promise<Chunk> {
  const { code } = await transform(sourceOf(units), {
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  })
  return { source: code, digests: units.map(({ digest }) => digest) }
}

/** Each unit stands in a function of its own, so that V8 compiles it only when the runtime asks for it. */
function sourceOf(units: readonly EmittedUnit[]): string {
  const imports = [...new Set(units.flatMap((unit) => unit.imports))].sort()
  const userImports = units.flatMap((unit, i) =>
    unit.userImports.map(
      ({ local, ref }) =>
        `import ${importClause(ref.name, `user${i}_${local}`)} from ${JSON.stringify(ref.specifier)}\n`,
    ),
  )
  const makers = units.map(({ code, name, userImports }, i) => {
    const locals = userImports.map(({ local }) => `const ${local} = user${i}_${local}\n`).join('')
    return `function () {\n${locals}${code}\nreturn ${name}\n}`
  })
  const head =
    imports.length > 0 ? `import { ${imports.join(', ')} } from 'framework/internal'\n` : ''
  return `${head}${userImports.join('')}export const functions = [\n${makers.join(',\n')}\n]\n`
}

function importClause(name: string, local: string): string {
  if (name === '*') return `* as ${local}`
  return name === 'default' ? local : `{ ${name} as ${local} }`
}
