/** What passes between the scan and the process that runs slices; everything survives a structured clone. */

import type { Environment } from '../values/environment.ts'

/** A value in terms of things defined before. */
export type Term =
  | { readonly t: 'value'; readonly value: unknown }
  | { readonly t: 'symbol'; readonly key: string }
  /** The result of a step, or an object, array, function or class that is defined by its id. */
  | { readonly t: 'ref'; readonly id: string }
  /** Cannot be made outside of the running application. */
  | {
      readonly t: 'never'
      readonly why: string
      /** It is one of several values, and which one was not said. */
      readonly undecided?: boolean
      /** What of the environment decides it, when that is why. */
      readonly environment?: Environment
    }
  /** What says something to people only; a text stands for it. */
  | { readonly t: 'annotation'; readonly why: string }

export type Definition =
  | {
      readonly type: 'import'
      readonly specifier: string
      readonly importer: string
      readonly name: string
      /** Load it as CommonJS does. */
      readonly required: boolean
      /** What the specifier means, where that is known. */
      readonly file: string | undefined
    }
  | { readonly type: 'await'; readonly operand: Term }
  | { readonly type: 'code'; readonly code: string; readonly operands: readonly Term[] }
  | {
      readonly type: 'object'
      readonly base: Term | undefined
      readonly members: readonly (readonly [Term, Term])[]
    }
  | { readonly type: 'array'; readonly items: readonly Term[] }
  /** Source text whose free variables are looked up in `captures` when it runs. */
  | {
      readonly type: 'source'
      readonly text: string
      readonly captures: Readonly<Record<string, Term>>
      /** Properties of the function. */
      readonly members: readonly (readonly [Term, Term])[]
      readonly file: string
    }

export interface Program {
  /** New or changed definitions. */
  readonly definitions: readonly (readonly [string, Definition])[]
  /** The steps to run first, in order; those that ran before are not repeated. */
  readonly steps: readonly string[]
  readonly roots: readonly Term[]
  readonly wants: 'shape' | 'plain'
}

/** What a value is, without its content. */
export type Shape =
  | { readonly type: 'symbol' }
  | { readonly type: 'primitive'; readonly value: unknown }
  | { readonly type: 'array'; readonly length: number }
  | { readonly type: 'object'; readonly keys: readonly string[]; readonly iterable: boolean }
  | { readonly type: 'function'; readonly keys: readonly string[] }

/** Something inside a result that is no plain data. */
export interface Hole {
  readonly path: readonly (string | number)[]
  readonly why: string
  /** Set where the text of an annotation stands that is not known. */
  readonly isAnnotation?: boolean
  /** Set where a symbol stood, which no text of the value shows. */
  readonly isSymbol?: boolean
}

/** What the text that stands for an unknown annotation begins with; why it is not known follows. */
export const annotationMark = '\u0000annotation '

export type Outcome = {
  /** The process had given up waiting for something by then: another one may come further. */
  readonly isLate?: true
} & (
  | { readonly type: 'shape'; readonly shape: Shape }
  | { readonly type: 'plain'; readonly value: unknown; readonly holes: readonly Hole[] }
  | {
      readonly type: 'failed'
      readonly why: string
      /** Set when it would be known, were some choices made. */
      readonly undecided?: boolean
      /** The step that waits for what does not come, when that is why. */
      readonly awaited?: string | undefined
      /** What has thrown, when that is why. */
      readonly fault?: Fault | undefined
    }
)

/** A step of the source that throws. */
export interface Fault {
  readonly step: string
  /** Set when it calls what is no function: functions of nearly that name in the same place. */
  readonly near?: readonly string[]
}

/** What the thread says that looks after the process. Positions are those of steps, and after them those of roots. */
export type Report =
  | { readonly type: 'answer'; readonly position: number; readonly outcomes: Uint8Array }
  /** What stands at this position takes long, and goes on. */
  | { readonly type: 'slow'; readonly position: number }
  /** There is no process any more. */
  | { readonly type: 'ended'; readonly position: number; readonly why: string }
  /** The thread itself has failed. */
  | { readonly type: 'broken'; readonly position: number; readonly why: string }
