import type { CompilersInUse } from '../../model/index.ts'
import type { CompilerState, ContextRecord, Which } from '../values/contexts.ts'

/** How a context starts: with what has been set around it by now. */
export function inheritCompilers(parent: ContextRecord | undefined): CompilerState {
  const set = new Set<Which>()
  for (let one = parent; one !== undefined; one = one.parent) {
    for (const which of one.compilers.set) set.add(which)
  }
  return {
    set,
    built: new Set(parent?.compilers.built),
    kept: new Set(),
    keepsHeaders: parent?.compilers.keepsHeaders ?? false,
    hasAdded: false,
  }
}

/** Schemas are handed on to the contexts that are there. */
export function noteSchema(context: ContextRecord): void {
  context.compilers.hasAdded = true
  for (const child of childrenOf(context)) noteSchema(child)
}

export function* childrenOf({ operations }: ContextRecord): Iterable<ContextRecord> {
  for (const operation of operations) if (operation.type === 'child') yield operation.context
}

export function compilersInUse({ compilers }: ContextRecord): CompilersInUse {
  const { set, built, kept, keepsHeaders, hasAdded } = compilers
  const choose = (which: Which): 'own' | undefined =>
    (set.has(which) && !hasAdded) || built.has(which) || kept.has(which) ? 'own' : undefined
  return { validator: choose('validator'), serializer: choose('serializer'), keepsHeaders }
}

/** Operations of a context that descendants inherit, nearest first. */
export function* lineage(context: ContextRecord): Iterable<ContextRecord> {
  for (let one: ContextRecord | undefined = context; one !== undefined; one = one.parent) yield one
}
