import type { ApplicationStart } from '../../model/index.ts'
import type { Environment } from './environment.ts'

/** The entry of an application. */
export interface EntryModule {
  /** Absolute. */
  readonly file: string
  readonly start: ApplicationStart
  /** Names of the classes and objects that it exports. */
  readonly exports: readonly string[]
  /** Where it lies in the deployment. */
  readonly place: string
  /** Whether it boots for its first request, where that can be chosen. */
  readonly bootsLate: boolean
}

/** What lies in a deployment. */
export interface Contents {
  /** What the application is called. */
  readonly name: string
  /** Files of code. */
  readonly code: readonly string[]
  /** Of these, modules that a start has no use for. */
  readonly late: readonly string[]
  /** Files that the application reads. */
  readonly assets: readonly string[]
}

/** How a program loads functions and schemas on demand that aren't part of its main file. */
export type Apart = 'files' | 'modules'

/** What a deployment has to be on a platform. */
export interface Platform {
  /** The conditions of `exports` that hold there, beside `import`, `require` and `default`. */
  readonly conditions: readonly string[]
  /** Beginnings of the names of modules that the platform itself has, beside those of Node. */
  readonly schemes: readonly string[]
  /** `undefined`: CommonJS, unless a module awaits at its top. */
  readonly format: 'cjs' | 'es' | undefined
  /** Texts of CommonJS modules for those that do not work there, by the ends of their paths. */
  readonly instead: Readonly<Record<string, string>>
  /** Whether it is a system with processes and folders: threads, binaries and copied packages work there. */
  readonly isSystem: boolean
  /** Whether requests come over connections that a package can take over, where the application starts so. */
  hasConnections(start: ApplicationStart): boolean
  /** Modules of Node that it lacks or has in name only. */
  readonly lacks: readonly string[]
  /** Where there is a way to load anything later. */
  readonly apart: Apart | undefined
  /** Whether everything is in one file, what `import()` loads too. */
  readonly isOneFile?: boolean
  readonly environment: Environment
  /** What is run before the application's modules. */
  prelude(entry: EntryModule): string
  /** The main module, which begins with the import of the prelude. */
  main(entry: EntryModule): string
  /** Where it is written unless told otherwise, from the application's folder. */
  readonly out?: string
  /** The folder around that which the tools of the platform keep out of Git. */
  readonly ignored?: string
  /** Where in it the program lies. */
  readonly program?: string
  /** Files that tell the platform of the deployment, by their paths. */
  settings(contents: Contents): Readonly<Record<string, string>>
  /** How to start what lies in `out`. */
  start(out: string): string
}
