/** Packs functions into chunks, the files of an artifact with several compiled functions, and writes their source. */
import type { OptionPath } from '../../runtime/artifact/index.ts'
import type { Digest, ImportRef, PackedUnit, SharedFunction } from '../model/index.ts'

export interface Chunk {
  readonly digests: readonly Digest[]
  /** An expression for each digest. */
  readonly makers: readonly string[]
  /** Functions that these makers call and that several units need, each after those that it calls. */
  readonly shared: readonly SharedFunction[]
  /** Imports from `framework/internal`, sorted. */
  readonly imports: readonly string[]
}

/**
 * A file with this many characters of code is full: small enough that a first request reads little that it doesn't need, large enough for few
 * files. Shared functions don't count, because if every unit needs many of them, a file would contain little else.
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

/** Returns the names of functions that more than one unit needs. */
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

/** Puts functions that only this unit needs into its maker. */
function withOwn({ maker, shared }: PackedUnit, common: ReadonlySet<string>): string {
  const own = shared.filter(({ name }) => !common.has(name))
  return own.length === 0 ? maker : `()=>{${declare(own)}return(${maker})()}`
}

/**
 * Takes functions of the application from the options of the running one. Each maker has a scope of its own, because units may
 * use the same name for different functions.
 */
function withOptions(maker: string, { userImports }: PackedUnit): string {
  if (userImports.length === 0) return maker
  const locals = userImports.map(({ local }) => local)
  const values = userImports.map(({ ref }) => `take(${JSON.stringify(optionOf(ref))})`)
  return `take=>((${locals.join()})=>(${maker})())(${values.join()})`
}

/** Returns the path to the value in the options of the running application. */
export function optionOf({ option, specifier }: ImportRef): OptionPath {
  if (option === undefined) throw new Error(`"${specifier}" is nowhere in the options`)
  return option
}

/**
 * Returns the source of a CommonJS file: a function that takes `framework/internal` and returns the makers.
 *
 * It is put together as text, because parsing megabytes of code again would take most of a build's time.
 */
export function chunkSource(chunk: Chunk): string {
  return `module.exports=${chunkExpression(chunk)}\n`
}

/** Returns the same as the default export of an ES module. */
export function chunkModule(chunk: Chunk): string {
  return `export default ${chunkExpression(chunk)}\n`
}

/**
 * Wraps the function in parentheses, so that V8 compiles it with the file instead of parsing it twice. V8 does the same for arrow
 * functions only since Node 24.
 */
function chunkExpression(chunk: Chunk): string {
  const { imports, shared } = chunk
  // V8 optimises constants better than parameters.
  const constants = imports.length > 0 ? `const{${imports.join()}}=given;\n` : ''
  return `(function(given){${constants}${declare(shared)}return${makersOf([chunk])}})`
}

/**
 * Returns the source of an ES module with the functions of all `chunks`.
 *
 * @param use makes the end of the module from an expression for all makers
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
