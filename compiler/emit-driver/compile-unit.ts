import { EmitError, separate, type Emitter } from '../4-emit/index.ts'
import { createPacker } from './pack.ts'
import type { CompileUnit, PackedUnit } from '../model/index.ts'

/** What becomes of a unit. */
export type Compiled =
  | {
      readonly packed: PackedUnit
      /** Each build has to compile it again. */
      readonly isUnchecked: boolean
    }
  /** The message of the EmitError. */
  | { readonly failure: string }

export type UnitCompiler = (unit: CompileUnit) => Compiled

/** From a unit to what an artifact holds of it. The same wherever it is done, in whatever order. */
export function createUnitCompiler(emitter: Emitter): UnitCompiler {
  const pack = createPacker()
  return (unit) => {
    try {
      const emitted = emitter.emit(unit)
      return {
        packed: pack(separate(emitted)),
        isUnchecked: emitted.isUnchecked === true,
      }
    } catch (error) {
      if (!(error instanceof EmitError)) throw error
      return { failure: error.message }
    }
  }
}
