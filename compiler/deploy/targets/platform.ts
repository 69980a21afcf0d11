import type { ApplicationStart } from '../../model/index.ts'
import type { Environment } from './environment.ts'

/** The entry of an application. */
export interface EntryModule {
  /** Absolute. */
  readonly file: string
  /** The module that creates applications of its line of Fastify. */
  readonly factory: string
  readonly start: ApplicationStart
  /** Names of exported classes and objects, which platforms such as Workers use at start. */
  readonly exports: readonly string[]
  /** Names of functions that it exports. */
  readonly functions: readonly string[]
  /** Its path in the deployment. */
  readonly path: string
  /** Boots for its first request instead of at start, if the platform allows a choice. */
  readonly bootsLate: boolean
  /** Its module and those that it imports are loaded for the first request, too. */
  readonly loadsLate: boolean
}

/** The contents of a deployment. */
export interface Contents {
  readonly applicationName: string
  /** Files of code. */
  readonly code: readonly string[]
  /** Files of code that are loaded on demand. */
  readonly onDemand: readonly string[]
  /** Files that the application reads. */
  readonly assets: readonly string[]
  /** Names of classes and objects that the entry exports. */
  readonly exports: readonly string[]
  /** The entry, relative to the program; `undefined` if the deployment is outside of the project. */
  readonly entry: string | undefined
  /** The folder of the application. */
  readonly root: string
  /** The folder of the deployment, which is written beside it first. */
  readonly out: string
}

/** How a program loads functions and schemas that aren't part of its main file. */
export type OnDemand = 'files' | 'modules'

/** The requirements of a platform. */
export interface Platform {
  /** Conditions of package `exports`, in addition to `import`, `require` and `default`. */
  readonly conditions: readonly string[]
  /** If the `exports` of a package name the condition `node`, it replaces `browser`: their other modules expect that version. */
  readonly prefersNode?: boolean
  /** Schemes of modules that the platform provides or loads, in addition to `node:`. With `bun:`, `bun` is such a module too. */
  readonly schemes?: readonly string[]
  /** Default: CommonJS, unless a module uses top-level `await`. */
  readonly format?: 'es'
  /** CommonJS code for modules that don't work on the platform, or changes of their code, by the end of their path. */
  readonly replacedModules?: Readonly<Record<string, string | ((code: string) => string)>>
  /** The platform has processes and folders: threads, binaries and copied packages work. */
  readonly hasProcesses: boolean
  /** The platform has no working directory: `process.cwd()` is replaced by the application's folder in the deployment. */
  readonly replacesFolder?: boolean
  /** Names of the handlers that the platform calls, if the entry exports them. */
  readonly calls: readonly string[]
  /** Checks whether requests come over connections that a package can take over. */
  hasConnections(start: ApplicationStart): boolean
  /** Requests without connections can still be upgraded to WebSocket. */
  readonly hasWebSockets?: boolean
  /** Modules of Node that are missing, or don't work. */
  readonly unsupportedModules?: readonly string[]
  /** Packages that don't work, and the function of Node that they miss. */
  readonly unsupportedPackages?: Readonly<Record<string, string>>
  /** Default: functions and schemas are in the main file. */
  readonly onDemand?: OnDemand
  /** Refuses timers, random values and connections outside of requests. */
  readonly refusesAtStart?: true
  /** If the entry has a top-level `await`, its statements are moved into a function that the main module calls. */
  readonly runsEntry?: boolean
  /** Files that aren't code can be imported: texts, bytes and WebAssembly. */
  readonly importsFiles?: true
  /** The bundle is a single file, including modules that `import()` loads. */
  readonly isOneFile?: boolean
  readonly environment: Environment
  /** Returns CommonJS code for a function that loads pino. Default: it's required. */
  loadLogger?(): string
  /** Returns code that runs before the application's modules. */
  prelude(entry: EntryModule): string
  /** Returns the main module, which runs after the prelude. */
  main(entry: EntryModule): string
  /** Default output folder, relative to the application. */
  readonly out?: string
  /** Parent of the default output folder, to add to .gitignore as the platform's own tools do. */
  readonly gitignored?: string
  /** Folder of the program in the output folder. */
  readonly programFolder?: string
  /** Returns the platform's configuration files, by path. */
  configFiles?(contents: Contents): Readonly<Record<string, string>>
  /**
   * Returns files in the folder of the application by which tools of the platform find a deployment.
   *
   * @param out the folder of the deployment
   */
  projectFiles?(root: string, out: string): Readonly<Record<string, string>>
  /** Tells users how to start the deployment in `out`. */
  startCommand(out: string): string
}
