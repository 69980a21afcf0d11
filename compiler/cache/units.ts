/** Caches compiled units, and which shared schemas are valid. */
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { CompileUnit, GivenSchema, PackedUnit, SharedFunction } from '../model/index.ts'
import { exactText, isExactJson } from '../util/exact-text.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'

interface Stored {
  /** Functions that units share; `StoredUnit` names them. */
  readonly shared: readonly SharedFunction[]
  /** Keys of shared schemas that are valid. */
  readonly valid: readonly string[]
  readonly units: Readonly<Record<string, StoredUnit>>
}

type StoredUnit = Omit<PackedUnit, 'shared'> & { readonly shared: readonly string[] }

export interface UnitStore {
  get(unit: CompileUnit): PackedUnit | undefined
  put(unit: CompileUnit, packed: PackedUnit): void
  /**
   * Checks a shared schema, unless an earlier build has found it valid.
   *
   * @param check throws if the schema is invalid
   */
  checked(shared: GivenSchema, check: (shared: GivenSchema) => void): void
  /** Writes the units that this build has used. */
  save(): void
}

/**
 * Opens the cached units in `file`.
 *
 * The digest of a unit isn't enough as a key: different values may have the same JSON, and functions are part of it by their place
 * alone. So the key adds exact texts, and `functions` for options that have none.
 *
 * @param functions fingerprint of the functions in the options; `undefined` if their code isn't known completely
 */
export function openUnits(file: string, functions: string | undefined): UnitStore {
  const before = readChecksummed<Stored>(file)
  const validBefore = new Set(before?.valid)
  const sharedBefore = new Map(before?.shared.map((one) => [one.name, one]))
  const valid = new Set<string>()
  const now = new Map<string, PackedUnit>()
  // Many units have the same options and shared schemas.
  const textOf = memoized(exactText)
  const keyOf = memoized(keyOfUnit)
  return { get, put, checked, save }

  function get(unit: CompileUnit): PackedUnit | undefined {
    const key = keyOf(unit) ?? ''
    const stored = before?.units[key]
    if (stored === undefined) return undefined
    const shared = stored.shared.map((name) => sharedBefore.get(name) as SharedFunction)
    const packed = { ...stored, shared }
    now.set(key, packed)
    return packed
  }

  function put(unit: CompileUnit, packed: PackedUnit): void {
    // Imports of the application's modules contain absolute paths.
    if (packed.userImports.length > 0) return
    const key = keyOf(unit)
    if (key !== undefined) now.set(key, packed)
  }

  function checked(shared: GivenSchema, check: (shared: GivenSchema) => void): void {
    const { kind, id, schema, options } = shared
    // With functions in the options, which may have side effects, the schema is always checked.
    const key = keyOfTexts([kind, textOf(options), exactText([id, schema])])
    if (key === undefined || !validBefore.has(key)) check(shared)
    if (key !== undefined) valid.add(key)
  }

  function save(): void {
    const shared = new Map<string, SharedFunction>()
    const units: Record<string, StoredUnit> = {}
    for (const [key, unit] of now) {
      for (const one of unit.shared) shared.set(one.name, one)
      units[key] = { ...unit, shared: unit.shared.map(({ name }) => name) }
    }
    writeChecksummed(file, { shared: [...shared.values()], valid: [...valid], units })
  }

  /** `undefined` if something that the unit is compiled from has neither an exact text nor a fingerprint. */
  function keyOfUnit({
    kind,
    digest,
    schema,
    externals,
    options,
  }: CompileUnit): string | undefined {
    // The digest represents the schema completely if its JSON does.
    const content = isExactJson(schema) ? 'exact' : exactText(schema)
    const shared = Object.entries(externals).flatMap(([id, one]) => [id, textOf(one)])
    return keyOfTexts([kind, digest, textOf(options) ?? functions, content, ...shared])
  }
}

function keyOfTexts(texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : digestOf(JSON.stringify(texts))
}

/** Calls a function once for each value. */
function memoized<K, T>(compute: (key: K) => T): (key: K) => T {
  const results = new Map<K, { readonly result: T }>()
  return (key) => {
    let known = results.get(key)
    if (known === undefined) results.set(key, (known = { result: compute(key) }))
    return known.result
  }
}
