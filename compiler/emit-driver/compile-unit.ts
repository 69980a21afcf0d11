import { EmitError, extractSharedFunctions, type Emitter } from '../4-emit/index.ts'
import { createPacker } from './pack.ts'
import type { CompileUnit, PackedUnit } from '../model/index.ts'

/** The result of compiling a unit. */
export type Compiled =
  | {
      readonly packed: PackedUnit
      /** A function in it isn't covered by a replay check, so the unit can't be cached. */
      readonly isUnchecked: boolean
    }
  /** The message of the EmitError. */
  | { readonly failure: string }

export type UnitCompiler = (unit: CompileUnit) => Compiled

/** Compiles, separates and minifies units. The result depends on the unit alone. */
export function createUnitCompiler(emitter: Pick<Emitter, 'emit'>): UnitCompiler {
  const pack = createPacker()
  return (unit) => {
    try {
      const emitted = emitter.emit(unit)
      return {
        packed: pack(extractSharedFunctions(emitted)),
        isUnchecked: emitted.isUnchecked === true,
      }
    } catch (error) {
      if (!(error instanceof EmitError)) throw error
      return { failure: error.message }
    }
  }
}
