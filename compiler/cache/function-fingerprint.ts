import { digestOf } from '../../runtime/artifact/digest.ts'
import type { ContextTree, ImportRef } from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'
import { closureFingerprint, type Closures } from './closure.ts'
import { exactText } from '../util/exact-text.ts'
import { environmentFingerprint } from './build-record.ts'

/** The functions that options import: plugins, formats, keywords, `onCreate`. */
export function importedFunctions(tree: ContextTree): readonly ImportRef[] {
  return instancesOf(tree).flatMap(({ options: { ajv } }) => [
    ...[...ajv.imports, ...ajv.plugins].map(({ ref }) => ref),
    ...(ajv.onCreate ? [ajv.onCreate] : []),
  ])
}

/** Fingerprints of functions when this process first imported them: Node doesn't load changed files again. */
const imported = new Map<string, string>()

/** Returns whether this process has imported functions of an application that were fingerprinted. */
export function hasImported(): boolean {
  return imported.size > 0
}

/** Fingerprint of the functions in the options; `undefined` without functions, or if a later build couldn't know whether it has the same ones. */
export async function functionFingerprint(
  tree: ContextTree,
  closures: Closures,
): Promise<string | undefined> {
  const refs = importedFunctions(tree)
  if (refs.length === 0) return undefined
  const closure = await closures.of(refs)
  if (!closure.isComplete) return undefined
  const content = closureFingerprint(closure)
  const place = JSON.stringify(refs.map(placeOf))
  if (!imported.has(place)) imported.set(place, content)
  if (imported.get(place) !== content) return undefined
  const options = exactText(
    instancesOf(tree).map(({ options: { ajv } }) => [
      ajv.customOptions?.value,
      ajv.imports.map(({ path, ref }) => [path, placeOf(ref)]),
      ajv.plugins.map(({ ref, options }) => [placeOf(ref), options?.value]),
      ajv.mode,
      ajv.parts?.value,
      ajv.onCreate && placeOf(ajv.onCreate),
    ]),
  )
  return options && [digestOf(options), content, environmentFingerprint()].join(' ')
}

function placeOf({ specifier, importer, name, code }: ImportRef): readonly unknown[] {
  return [specifier, importer, name, code]
}
