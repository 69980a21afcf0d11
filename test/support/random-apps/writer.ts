/** Pieces of source text, the function body that is being written, and the state of the generator. */
import type { Scope } from './scope.ts'
import { SourceFile } from './source-file.ts'
import type { Tape } from './tape.ts'

/** Source text of a schema. */
export interface Piece {
  readonly text: string
  /** The references to shared schemas in it. */
  readonly needs: readonly string[]
  /** True if it mentions variables of the enclosing function. */
  readonly isLocal: boolean
}

export interface NamedPiece {
  readonly file: SourceFile
  readonly name: string
  /** A part, a member, or the option `schema` of a route, without or with `body`. */
  readonly kind: 'object' | 'property' | 'whole' | 'wholeWithBody'
  readonly needs: readonly string[]
}

/** An expression for a schema that plugins get from a decorator or an option. */
export interface SchemaAccess {
  /** Such as `$app.kit3.item` or `opts.item`. `$app` is replaced by the variable of the instance. */
  readonly access: string
  readonly needs: readonly string[]
}

/** The function body that is being written. */
export interface Frame {
  readonly file: SourceFile
  /** The variable that holds the instance. */
  readonly app: string
  readonly scope: Scope
  readonly depth: number
  /** True if it may `await`. */
  readonly isAsync: boolean
  /** Expressions of schemas that the caller passes, such as `opts.item`. */
  readonly given: readonly SchemaAccess[]
  /** Conditions that the caller decides. */
  readonly conditions: readonly string[]
  /** The expression of an id that the caller passes: `opts.id`. */
  readonly id: string | undefined
  /** The function body around this one, if its variables are visible. */
  readonly outer: Frame | undefined
  /** True if it might not run. */
  readonly isConditional: boolean
  /** True if the statements run when the module is loaded. */
  readonly isTop?: boolean
  decorators: SchemaAccess[]
  /** Decorators of registered plugins that haven't run yet. */
  pending: SchemaAccess[]
}

/** Writes up to `most` statements. */
export type WriteBody = (w: Writer, frame: Frame, most: number) => string[]

/** Makes the decorators of pending plugins available. */
export function applyPending(frame: Frame): void {
  frame.decorators.push(...frame.pending)
  frame.pending = []
}

/** One application while it is being written. */
export class Writer {
  readonly tape: Tape
  readonly files: SourceFile[] = []
  readonly named: NamedPiece[] = []
  readonly taken: Set<string> = new Set()
  /** True if the application is created while its entry is loaded. */
  startsAtTopLevel = false
  usesTypebox = false
  #count = 0

  constructor(tape: Tape) {
    this.tape = tape
  }

  /** Returns a number that makes a name of the application unique. */
  number(): number {
    return ++this.#count
  }

  file(path: string): SourceFile {
    const known = this.files.find((file) => file.path === path)
    if (known !== undefined) return known
    const file = new SourceFile(path)
    this.files.push(file)
    return file
  }

  /** Returns true the first time for each text. */
  take(text: string): boolean {
    if (this.taken.has(text)) return false
    this.taken.add(text)
    return true
  }
}
