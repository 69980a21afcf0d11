import type { OptionPath } from '../../runtime/artifact/index.ts'
import type { Digest, ImportRef, PackedUnit, SharedFunction } from '../model/index.ts'

/** Functions that share a file. */
export interface Chunk {
  readonly digests: readonly Digest[]
  /** One expression per digest. */
  readonly makers: readonly string[]
  /** What several of them call, each after those that it calls itself. */
  readonly shared: readonly SharedFunction[]
  /** Names that it all takes from `framework/internal`, sorted. */
  readonly imports: readonly string[]
}

/**
 * Code of this many characters goes into one file. Small enough that a first request reads little that it does
 * not need, large enough that there are few files.
 *
 * What is shared does not count: where every unit needs much of it, each file would hold little else.
 */
const CHUNK_SIZE = 32 * 1024

/** Packs units into chunks, in their order. */
export function createChunks(units: readonly PackedUnit[]): readonly Chunk[] {
  const common = commonOf(units)
  const groups: { unit: PackedUnit; maker: string }[][] = []
  let size = CHUNK_SIZE
  for (const unit of units) {
    const maker = withOptions(withOwn(unit, common), unit)
    if (size >= CHUNK_SIZE) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push({ unit, maker })
    size += maker.length
  }
  return groups.map((group) => {
    const shared = new Map(group.flatMap(({ unit }) => unit.shared.map((one) => [one.name, one])))
    return {
      digests: group.map(({ unit }) => unit.digest),
      makers: group.map(({ maker }) => maker),
      shared: [...shared.values()].filter(({ name }) => common.has(name)),
      imports: unique([
        ...group.flatMap(({ unit }) => unit.imports),
        ...[...shared.values()].flatMap(({ imports }) => imports),
      ]),
    }
  })
}

/** The names of functions that more than one unit needs. */
function commonOf(units: readonly PackedUnit[]): ReadonlySet<string> {
  const seen = new Map<string, string>()
  const common = new Set<string>()
  for (const { name, code } of units.flatMap(({ shared }) => shared)) {
    const known = seen.get(name)
    if (known !== undefined) common.add(name)
    // Names are short digests.
    if (known !== undefined && known !== code) throw new Error(`Two functions are called ${name}`)
    seen.set(name, code)
  }
  return common
}

/** What only this unit needs is made when the unit is. */
function withOwn({ maker, shared }: PackedUnit, common: ReadonlySet<string>): string {
  const own = shared.filter(({ name }) => !common.has(name))
  return own.length === 0 ? maker : `()=>{${declare(own)}return(${maker})()}`
}

/**
 * Functions of the application are those of the running one: its maker is given what takes them out of its options. Two
 * units may use the same local name for different ones.
 */
function withOptions(maker: string, { userImports }: PackedUnit): string {
  if (userImports.length === 0) return maker
  const locals = userImports.map(({ local }) => local)
  const values = userImports.map(({ ref }) => `take(${JSON.stringify(optionOf(ref))})`)
  return `take=>((${locals.join()})=>(${maker})())(${values.join()})`
}

/** Where the running application has the value. */
export function optionOf({ option, specifier }: ImportRef): OptionPath {
  if (option === undefined) throw new Error(`"${specifier}" is nowhere in the options`)
  return option
}

/**
 * The source of a CommonJS file with the functions of `chunk`: it takes what they call and gives their makers.
 *
 * Put together as text, like the others below: the code stands on its own already, and parsing megabytes of it
 * once more would be most of a build's time.
 */
export function chunkSource(chunk: Chunk): string {
  return `module.exports=${chunkExpression(chunk)}\n`
}

/** The same as an ES module, whose default export it is. */
export function chunkModule(chunk: Chunk): string {
  return `export default ${chunkExpression(chunk)}\n`
}

/**
 * In parentheses, so that V8 compiles it with the file: it is called right after, and would be read once more. No arrow function,
 * with which V8 does so only since Node 24.
 */
function chunkExpression(chunk: Chunk): string {
  const { imports, shared } = chunk
  // Constants, which the engine can rely on, rather than parameters.
  const given = imports.length > 0 ? `const{${imports.join()}}=given;\n` : ''
  return `(function(given){${given}${declare(shared)}return${makersOf([chunk])}})`
}

/**
 * The source of an ES module with the functions of all `chunks`.
 *
 * @param use makes the end of the module from the expression of all makers
 */
export function moduleSource(
  chunks: readonly Chunk[],
  internals: readonly string[],
  use: (makers: string) => string,
): string {
  const imports = unique([...internals, ...chunks.flatMap((chunk) => chunk.imports)])
  const shared = new Map(chunks.flatMap((chunk) => chunk.shared.map((one) => [one.name, one])))
  return `import{${imports.join()}}from'framework/internal'\n${declare([...shared.values()])}${use(makersOf(chunks))}\n`
}

function declare(shared: readonly SharedFunction[]): string {
  return shared.map(({ name, code }) => `const ${name}=${code};\n`).join('')
}

function makersOf(chunks: readonly Chunk[]): string {
  return `[\n${chunks.flatMap(({ makers }) => makers).join(',\n')}\n]`
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}
