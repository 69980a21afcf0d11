/** Generated code: from the emitter to the files of the artifact. */
import type { Digest } from '../../runtime/artifact/index.ts'
import type { ReplayCheck, ReplayChecks } from '../../runtime/artifact/replay/index.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { ImportRef } from './scanned.ts'

/** Generated code of one unit, free of any module syntax so that it can be bundled or evaluated. */
export interface EmittedUnit {
  readonly digest: Digest
  /** Names that the code imports from `framework/internal`, sorted. */
  readonly imports: readonly string[]
  /** Exports with functions that the code calls, such as custom formats. */
  readonly userImports: readonly { readonly local: string; readonly ref: ImportRef }[]
  /** Statements that define `name`. They need their own scope. */
  readonly code: string
  /** Checks of the application's functions that ran while it was compiled, if there are any. */
  readonly replayChecks?: readonly ReplayCheck[]
  /** Set if a function of the application can't be checked: every build compiles the unit again, to warn about it. */
  readonly isUnchecked?: true
  /** The variable with the compiled function. The code of a validator ends with `name.errors=null;`. */
  readonly name: string
}

/** A function that several units may call. */
export interface SharedFunction {
  /** Derived from its code. */
  readonly name: string
  /** An expression. Its free names are `imports` and other shared functions. */
  readonly code: string
  readonly imports: readonly string[]
}

/** A shared function as it is separated from a unit. */
export interface SeparatedFunction extends Omit<SharedFunction, 'code'> {
  /** Statements that need their own scope. */
  readonly code: string
  /** The expression for the function, after them. */
  readonly result: string
}

/** An emitted unit whose code calls shared functions by name. */
export interface SeparatedUnit extends EmittedUnit {
  /** The expression for the compiled function, after the code. */
  readonly result: string
  /** All shared functions that it needs, each after those that it calls. */
  readonly shared: readonly SeparatedFunction[]
}

/** An emitted unit as an artifact holds it. */
export interface PackedUnit extends Pick<
  SeparatedUnit,
  'digest' | 'imports' | 'userImports' | 'replayChecks'
> {
  /** A minified expression for a function that returns the compiled one. Its free names are `imports`, the locals of `userImports`, and shared functions. */
  readonly maker: string
  /** Minified. */
  readonly shared: readonly SharedFunction[]
  /** Characters before minifying. */
  readonly size: number
}

export interface Emission {
  readonly packed: readonly PackedUnit[]
  /** Units that refer to a shared schema that isn't known, with the problem of that schema. */
  readonly incomplete: ReadonlyMap<Digest, Diagnostic>
}

/** The compiled functions of an application, of which a build may have compiled some itself. */
export interface EmittedApp extends Emission {
  /** Units that were taken from the cache. */
  readonly reused: ReadonlySet<Digest>
  readonly replayChecks: readonly ReplayChecks[]
}

/** The files of an artifact by their path in its folder, in the order in which they must be written. */
export interface Output {
  /** Files named after their content, so that they never overwrite each other. */
  readonly parts: ReadonlyMap<string, string>
  /** Entry files, which name the parts. */
  readonly entryFiles: ReadonlyMap<string, string>
  readonly bytes: number
}
