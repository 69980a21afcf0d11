import type { ImportRef, PackedUnit } from '../model/index.ts'

/** What generated code needs from the application's own modules: functions of formats and keywords. */
export interface UserModules {
  /** The name of the function in `code`. */
  nameOf(ref: ImportRef): string
  /** A self-contained ES module that exports the functions; `undefined` when none is needed. */
  readonly code: string | undefined
}

/** Bundles the functions that `units` import, to try units out with them. The artifact takes those of the running application. */
export async function bundleUserModules(units: readonly PackedUnit[]): Promise<UserModules> {
  const refs = new Map<string, ImportRef>()
  for (const { userImports } of units) {
    for (const { ref } of userImports) refs.set(keyOf(ref), ref)
  }
  const keys = [...refs.keys()].sort()
  const nameOf = (ref: ImportRef): string => `user${keys.indexOf(keyOf(ref))}`
  const exports = keys.map((key) => exportOf(refs.get(key) as ImportRef, nameOf))
  if (exports.length === 0) return { nameOf, code: undefined }
  // Few applications have such functions, and rollup takes a tenth of a second to load.
  const { joinModules } = await import('./join-modules.ts')
  return { nameOf, code: await joinModules(exports.join('\n'), refs) }
}

function keyOf({ specifier, importer, name, code = '' }: ImportRef): string {
  return [name, specifier, importer, code].join('\n')
}

function exportOf(ref: ImportRef, nameOf: (ref: ImportRef) => string): string {
  const name = ref.name === '*' ? `* as ${nameOf(ref)}` : `{ ${ref.name} as ${nameOf(ref)} }`
  return `export ${name} from ${JSON.stringify(keyOf(ref))}`
}
