import { digestOf } from '../../runtime/artifact/digest.ts'
import type {
  CompileUnit,
  Digest,
  GivenSchema,
  PackedUnit,
  ResolvedUnit,
  SharedFunction,
} from '../model/index.ts'
import { exactText, isTree } from '../util/exact-text.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'

interface Stored {
  readonly compiler: string
  readonly shared: readonly SharedFunction[]
  /** Shared schemas that compilers take, by everything that they were checked with. */
  readonly sound: readonly string[]
  /** What `ResolvedUnit.plain` gave, by everything that it is made from. */
  readonly plain: readonly (readonly [string, Digest | null])[]
}

/** Each stands on a line of its own after `Stored`, behind its key: most are written as they were read. What they share by its name. */
type StoredUnit = Omit<PackedUnit, 'shared'> & { readonly shared: readonly string[] }

/** What earlier builds have made of units. */
export interface UnitStore {
  get(unit: CompileUnit): PackedUnit | undefined
  put(unit: CompileUnit, packed: PackedUnit): void
  /** What `unit.plain` gives: to find out takes as long as what else is done for a unit that is known. */
  plain(unit: ResolvedUnit): Digest | undefined
  /**
   * Checks a shared schema, unless an earlier build has found it right.
   *
   * @param check throws when it is not
   */
  checked(shared: GivenSchema, check: (shared: GivenSchema) => void): void
  /** Writes what this build has got and put; what it did not need is forgotten. */
  save(): void
}

/**
 * Opens the units in `file`.
 *
 * The digest of a unit does not say all: two values may look the same in JSON, and of functions only their places
 * count. So a unit is known here by an exact copy of everything that it is compiled from.
 *
 * @param compiler fingerprint
 * @param functions fingerprint of the functions in the options; `undefined` if their code isn't known completely
 */
export function openUnits(
  file: string,
  compiler: string,
  functions: string | undefined,
): UnitStore {
  const soundBefore = new Set<string>()
  const sound = new Set<string>()
  const plainBefore = new Map<string, Digest | null>()
  const plainNow = new Map<string, Digest | null>()
  const sharedBefore = new Map<string, SharedFunction>()
  /** By everything that they are made from, as JSON. */
  const before = read()
  const now = new Map<string, { readonly unit: PackedUnit; readonly line?: string }>()
  const texts = new WeakMap<object, { readonly text: string | undefined }>()
  const keys = new WeakMap<CompileUnit, { readonly key: string | undefined }>()
  const prints = new WeakMap<object, { readonly print: string | undefined }>()
  return { get, put, plain, checked, save }

  function read(): ReadonlyMap<string, string> {
    const content = readChecksummed(file)
    if (content === undefined) return new Map()
    const [head = '', ...lines] = content.split('\n')
    const stored = JSON.parse(head) as Stored
    if (stored.compiler !== compiler) return new Map()
    for (const one of stored.shared) sharedBefore.set(one.name, one)
    for (const key of stored.sound) soundBefore.add(key)
    for (const [key, digest] of stored.plain) plainBefore.set(key, digest)
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line]))
  }

  function get(unit: CompileUnit): PackedUnit | undefined {
    const key = keyOf(unit)
    const line = key === undefined ? undefined : before.get(key)
    if (key === undefined || line === undefined) return undefined
    const stored = JSON.parse(line.slice(key.length)) as StoredUnit
    const shared = stored.shared.map((name) => sharedBefore.get(name) as SharedFunction)
    const packed = { ...stored, shared }
    now.set(key, { unit: packed, line })
    return packed
  }

  function put(unit: CompileUnit, packed: PackedUnit): void {
    // A reference to a module of the application is bound to its place.
    if (packed.userImports.length > 0) return
    const key = keyOf(unit)
    if (key !== undefined) now.set(key, { unit: packed })
  }

  function plain(unit: ResolvedUnit): Digest | undefined {
    const [own, among] = [keyOf(unit), printOf(unit.among)]
    if (own === undefined || among === undefined) return unit.plain()
    const key = `${own} ${among}`
    const known = plainBefore.get(key)
    const found = known === undefined ? unit.plain() : (known ?? undefined)
    plainNow.set(key, found ?? null)
    return found
  }

  function checked(shared: GivenSchema, check: (shared: GivenSchema) => void): void {
    const { kind, id, schema, options } = shared
    // Functions may tell more of a schema than whether it is right.
    const [settings, content] = [textOf(options), exactText([id, schema])]
    const isKnowable = settings !== undefined && content !== undefined
    const key = isKnowable ? digestOf([kind, settings, content].join('\n')) : undefined
    if (key === undefined || !soundBefore.has(key)) check(shared)
    if (key !== undefined) sound.add(key)
  }

  function save(): void {
    const shared = new Map<string, SharedFunction>()
    const lines = [...now].map(([key, { unit, line }]) => {
      for (const one of unit.shared) shared.set(one.name, one)
      return line ?? `${key} ${JSON.stringify(storedAs(unit))}`
    })
    const stored: Stored = {
      compiler,
      shared: [...shared.values()],
      sound: [...sound],
      plain: [...plainNow],
    }
    writeChecksummed(file, [JSON.stringify(stored), ...lines].join('\n'))
  }

  function keyOf(unit: CompileUnit): string | undefined {
    let known = keys.get(unit)
    if (known === undefined) keys.set(unit, (known = { key: makeKey(unit) }))
    return known.key
  }

  function makeKey({ kind, digest, schema, externals, options }: CompileUnit): string | undefined {
    const settings = textOf(options) ?? functions
    // The digest says all of a schema of which JSON does.
    const content = isTree(schema) ? 'tree' : exactText(schema)
    const others = Object.entries(externals).map(([id, one]) => [id, textOf(one)] as const)
    if (settings === undefined || content === undefined) return undefined
    if (others.some(([, text]) => text === undefined)) return undefined
    const shared = others.map(([id, text]) => `${JSON.stringify(id)}:${text}`)
    return digestOf([kind, digest, settings, content, ...shared].join('\n'))
  }

  /** Of what shared schemas there are, which is the same for many units. */
  function printOf(among: ResolvedUnit['among']): string | undefined {
    let known = prints.get(among)
    if (known === undefined) {
      const texts = Object.entries(among).map(([id, one]) => {
        const text = textOf(one)
        return text && `${JSON.stringify(id)}:${text}`
      })
      known = { print: texts.includes(undefined) ? undefined : digestOf(texts.join('\n')) }
      prints.set(among, known)
    }
    return known.print
  }

  /** Many units have the same options, and the same shared schemas. */
  function textOf(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return exactText(value)
    let known = texts.get(value)
    if (known === undefined) texts.set(value, (known = { text: exactText(value) }))
    return known.text
  }
}

function storedAs(unit: PackedUnit): StoredUnit {
  return { ...unit, shared: unit.shared.map(({ name }) => name) }
}
