import type { ApplicationStart } from '../../model.ts'

/** The entry of an application. */
export interface EntryModule {
  /** Absolute. */
  readonly file: string
  readonly start: ApplicationStart
  /** Where it lies in the deployment. */
  readonly place: string
}

/** What a deployment has to be on a platform. */
export interface Platform {
  /** The conditions of `exports` that hold there, beside `import`, `require` and `default`. */
  readonly conditions: readonly string[]
  /** `undefined`: CommonJS, unless a module awaits at its top. */
  readonly format: 'cjs' | 'es' | undefined
  /** What is run before the application's modules. */
  prelude(entry: EntryModule): string
  /** The main module, which begins with the import of the prelude. */
  main(entry: EntryModule): string
  /** How to start what lies in `out`. */
  start(out: string): string
}
