/**
 * Messages between the scan and the sandbox. All of them survive a structured clone.
 *
 * A request gives the sandbox a program. Each definition has an id, and creates one value from others: a call, an object, a function.
 * A term is what stands in the place of an operand or a member: a primitive, or the id of a definition. A step is a definition that
 * runs for its side effects, before the roots, which are the terms whose values the scan asks for.
 */
import type { LibraryPart } from '../model/index.ts'
import type { Environment } from './environment.ts'

/** A value in terms of definitions. */
export type Term =
  | { readonly t: 'value'; readonly value: unknown }
  | { readonly t: 'symbol'; readonly key: string }
  /** The value of the definition with this id. */
  | { readonly t: 'ref'; readonly id: string }
  /** Exists only in the running application. The definition that reads it fails, for this reason. */
  | {
      readonly t: 'never'
      readonly why: string
      /** It is one of several values, depending on a choice that wasn't made. */
      readonly undecided?: boolean
      /** The part of the environment that decides it. */
      readonly environment?: Environment
    }
  /** An annotation that isn't known: a placeholder text stands for it, because it changes nothing about a function. */
  | { readonly t: 'annotation'; readonly why: string }

export type Never = Extract<Term, { t: 'never' }>

export type ObjectMember = readonly [key: Term, value: Term, kind?: 'getter']

export type Definition =
  | {
      readonly type: 'import'
      readonly specifier: string
      readonly importer: string
      readonly name: string
      /** Loaded as `require` does. */
      readonly required: boolean
      /** The file that the specifier resolves to, if known. */
      readonly file: string | undefined
    }
  | { readonly type: 'await'; readonly operand: Term }
  /** The source of a function without free variables, and what it is called with. */
  | {
      readonly type: 'code'
      readonly code: string
      readonly operands: readonly Term[]
      /** Ids of earlier steps that may change what it reads. If one isn't known, neither is this. */
      readonly after?: readonly string[] | undefined
    }
  | {
      readonly type: 'object'
      /** The object that it is a copy of, with the members added. */
      readonly base: Term | undefined
      readonly members: readonly ObjectMember[]
    }
  | { readonly type: 'array'; readonly items: readonly Term[] }
  /** Source text whose free variables are looked up in `captures` when it runs. */
  | {
      readonly type: 'source'
      readonly text: string
      readonly captures: Readonly<Record<string, Term>>
      readonly members: readonly (readonly [Term, Term])[]
      readonly file: string
    }

export interface EvaluationRequest {
  /** New or changed definitions. */
  readonly definitions: readonly (readonly [string, Definition])[]
  /** Steps to run first, in order. Those that ran before aren't repeated. */
  readonly steps: readonly string[]
  readonly roots: readonly Term[]
  readonly wants: 'shape' | 'plain'
  /** Set to start another process for it. */
  readonly isFirst?: true | undefined
}

/** The kind of a value, without its content. */
export type Shape =
  | { readonly type: 'symbol' }
  | { readonly type: 'primitive'; readonly value: unknown }
  | { readonly type: 'array'; readonly length: number }
  | { readonly type: 'object'; readonly keys: readonly string[]; readonly iterable: boolean }
  | { readonly type: 'function'; readonly keys: readonly string[] }

/** Something inside a result that isn't plain data. */
export interface Hole {
  readonly path: readonly (string | number)[]
  readonly why: string
  /** Set for the placeholder of an annotation that isn't known. */
  readonly isAnnotation?: boolean
  readonly isSymbol?: boolean
  /** Set for a type of a library that is described as JSON schema: the value has the schema of what the type reads. */
  readonly described?: LibraryPart & {
    /** The schema of what the type returns. */
    readonly output: object
  }
}

/** Start of the placeholder for an annotation that isn't known; the reason follows. */
export const annotationMark = '\u0000annotation '

export type Outcome = {
  /** The sandbox had given up waiting for something by then: another run may come further. */
  readonly isLate?: true
} & (
  | { readonly type: 'shape'; readonly shape: Shape }
  | { readonly type: 'plain'; readonly value: unknown; readonly holes: readonly Hole[] }
  | {
      readonly type: 'failed'
      readonly why: string
      /** True if it depends on a condition: `Deferrals.plainUnder` evaluates it for one of the outcomes. */
      readonly undecided?: boolean | undefined
      /** The step that awaits a promise which doesn't settle. */
      readonly awaited?: string | undefined
      readonly fault?: Fault | undefined
    }
)

export interface Fault {
  readonly step: string
  /** Set if the step calls something that isn't a function: functions with a similar name in the same place. */
  readonly near?: readonly string[]
}

/** Messages of the supervisor. Positions count the steps of the request, then its roots. */
export type SupervisorMessage =
  /** The serialized outcomes of the roots. If they can't be read, the last position is to blame. */
  | { readonly type: 'answer'; readonly position: number; readonly outcomes: Uint8Array }
  /** The step at this position takes long, and continues. */
  | { readonly type: 'slow'; readonly position: number }
  /** The sandbox has exited, or was stopped, at this position. */
  | { readonly type: 'ended'; readonly position: number; readonly why: string }
  /** The supervisor itself has failed. */
  | { readonly type: 'broken'; readonly position: number; readonly why: string }

/** Functions that the sandbox recognizes by their source. */
export const memberCode = '(o, k) => o[k]'

export const callCode = '(f, ...a) => f(...a)'

export const methodCode = '(o, k, ...a) => o[k](...a)'

export const constructCode = '(c, ...a) => new c(...a)'
