import { digestOf } from '../../runtime/artifact/digest.ts'
import type { AjvOptionsSource, ImportRef } from '../model/index.ts'
import { closurePrint } from './closure.ts'
import type { ClosureStore } from './closures.ts'
import { exactText } from '../util/exact-text.ts'
import { environmentPrint } from './record.ts'

/** What the options take from modules: plugins, formats, keywords. */
export function liveRefs({ imports, plugins, onCreate }: AjvOptionsSource): readonly ImportRef[] {
  return [...[...imports, ...plugins].map(({ ref }) => ref), ...(onCreate ? [onCreate] : [])]
}

/** What this process has imported first: it keeps that, whatever becomes of the files. */
const imported = new Map<string, string>()

/** Whether this process has imported modules of an application. */
export function hasImported(): boolean {
  return imported.size > 0
}

/** Says what the functions in the options are; `undefined` when there are none, or when that cannot be said. */
export async function livePrint(
  ajv: AjvOptionsSource,
  closures: Pick<ClosureStore, 'of'>,
): Promise<string | undefined> {
  const refs = liveRefs(ajv)
  if (refs.length === 0) return undefined
  const closure = await closures.of(refs)
  if (!closure.isComplete) return undefined
  const content = closurePrint(closure)
  const place = JSON.stringify(refs.map(placeOf))
  if (!imported.has(place)) imported.set(place, content)
  if (imported.get(place) !== content) return undefined
  const options = exactText([
    ajv.customOptions?.value,
    ajv.imports.map(({ path, ref }) => [path, placeOf(ref)]),
    ajv.plugins.map(({ ref, options }) => [placeOf(ref), options?.value]),
    ajv.mode,
    ajv.parts?.value,
    ajv.onCreate && placeOf(ajv.onCreate),
  ])
  return options && [digestOf(options), content, environmentPrint()].join(' ')
}

function placeOf({ specifier, importer, name, code }: ImportRef): readonly unknown[] {
  return [specifier, importer, name, code]
}
