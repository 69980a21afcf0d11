/** Messages between the booting process and its supervisor. */
import type { ApplicationStart } from '../model/index.ts'
import type { Recording, RecordingFailure } from './recording.ts'

/** Settings of the booting process: its argument, as JSON. */
export interface BootSettings {
  readonly entry: string
  /** How long it may take, in ms. */
  readonly limit: number
  /** Runs in the sandbox: nothing outside of the process can be reached. */
  readonly isSandboxed: boolean
  /** Changes the clock and the machine, to find out what depends on them. */
  readonly isVaried: boolean
}

/** The start of the application, as far as the scan knows it. */
export interface KnownStart {
  /** `undefined` if the source doesn't show it. */
  readonly start: ApplicationStart | undefined
  /** True if the source mentions `listen`, so that the recording waits for the instance that listens. */
  readonly listens: boolean
}

/** A message to the thread that supervises booting processes. It answers a boot by a `BootEnd`. */
export type ToSupervisor =
  | { readonly boot: BootSettings; readonly env: NodeJS.ProcessEnv }
  | { readonly known: KnownStart }
  | { readonly end: true }

/** The result of a boot. */
export interface BootEnd {
  readonly result: Recording | RecordingFailure
  /** The end of what the application printed. */
  readonly output: string
}

/** A question of the booting process. It waits for the answer. */
export type Question =
  | { readonly ask: 'start' }
  /** The JavaScript of a TypeScript file. esbuild is native code, which the sandbox refuses. */
  | { readonly ask: 'javascript'; readonly file: string; readonly format: 'cjs' | 'esm' }

export type FromChild =
  | Question
  | { readonly recording: Recording }
  | { readonly failure: RecordingFailure }

/** An answer to `javascript`. */
export type Transpiled = { readonly code: string } | { readonly error: string }

/** The pipe of the main thread, and that of Node's thread for module hooks. */
export const mainPipe = 3
export const hooksPipe = 4
