/** Finds the code of a validator or serializer in the files of an artifact. */
import { transform } from 'esbuild'
import { parseAst } from 'rollup/parseAst'
import type { ArtifactIndex } from '../../runtime/artifact/load.ts'
import type { Digest } from '../../compiler/model/index.ts'

/** Reads a file of the artifact, by its path in the folder. */
export type ReadFile = (file: string) => string

/** Returns formatted code, including parts shared with others; undefined if the artifact lacks the digest. */
export async function codeOf(digest: Digest, read: ReadFile): Promise<string | undefined> {
  const { catalogue, chunks } = parseIndex(read('index.mjs'))
  const { digests, counts } = JSON.parse(read(catalogue.file)) as {
    digests: string
    counts: readonly number[]
  }
  let position = digests.split(' ').indexOf(digest)
  if (position === -1) return undefined
  for (const [index, count] of counts.entries()) {
    const chunk = chunks[index]
    if (position < count && chunk !== undefined) return formatFunction(read(chunk.file), position)
    position -= count
  }
  return undefined
}

/** Parses the JSON in `index.mjs`, as `5-artifact/entry-files.ts` writes it. */
function parseIndex(module: string): Pick<ArtifactIndex, 'catalogue' | 'chunks'> {
  const [, json = '{}'] = /openArtifact\(\{ \.\.\.(\{.*\}), url:/.exec(module) ?? []
  return JSON.parse(json) as ArtifactIndex
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly body?: Node | readonly Node[]
  readonly expression?: Node
  readonly right?: Node
  readonly argument?: Node
  readonly elements?: readonly Node[]
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[]
}

/**
 * Returns one function of a chunk, formatted. A chunk has the form `module.exports = given => { const …; return [maker, …] }`; a
 * maker creates the function when it's first needed.
 */
async function formatFunction(chunk: string, position: number): Promise<string> {
  const [statement] = (parseAst(chunk) as unknown as { body: readonly Node[] }).body
  const statements = (statement?.expression?.right?.body as Node | undefined)
    ?.body as readonly Node[]
  const makers = statements.at(-1)?.argument?.elements ?? []
  const maker = makers[position]
  if (maker === undefined) throw new RangeError(`A chunk has no function ${position}`)
  const text = (node: Node): string => chunk.slice(node.start, node.end)
  const needed: string[] = []
  let code = text(maker)
  // Statements come after those that they call, so walk backwards.
  for (const one of statements.slice(0, -1).toReversed()) {
    const name = one.declarations?.[0]?.id.name
    if (name === undefined || !mentions(code, name)) continue
    needed.unshift(text(one))
    code += text(one)
  }
  const source = [...needed, `export default ${text(maker)}`].join('\n')
  return (await transform(source, { loader: 'js' })).code.trimEnd()
}

function mentions(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code)
}
