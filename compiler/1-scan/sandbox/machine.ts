import type { Machine } from '../values/machine.ts'
import type { Node } from '../project.ts'
import type { Program } from '../values/interfaces.ts'
import type { Effects } from './effects.ts'
import type { Past } from './past.ts'

/** The machine as this room knows it: with what calls did, and with what was there when they were made. */
export interface SliceMachine extends Machine {
  readonly deferrals: Program & {
    readonly effects: Effects
    readonly past: Past
    placeOf(step: string): Node | undefined
    /** Of an object, a list, a function: the same scan gives the same names. */
    nameOf(value: object): string
  }
}
