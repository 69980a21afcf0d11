import type { Machine } from '../values/machine.ts'
import type { Node } from '../project.ts'
import type { DeferredValues } from '../values/interfaces.ts'
import type { Effects } from './effects.ts'
import type { ObjectHistory } from './object-history.ts'

/** The machine as this folder knows it: with the effects of calls and earlier states of objects. */
export interface SandboxMachine extends Machine {
  readonly deferrals: DeferredValues & {
    readonly effects: Effects
    readonly history: ObjectHistory
    /** The node that a step was written at. */
    placeOf(step: string): Node | undefined
    /** A name for an object, list or function, which is the same in every scan of the same source. */
    nameOf(value: object): string
  }
}
