import type { Boot } from '../boot/index.ts'
import type { DefaultCompilers } from '../compiled/model.ts'
import type { ApplicationLine } from './line.ts'
import type { ServedApplication } from '../serve/application.ts'
import type { Instance } from '../serve/model.ts'
import type { FactoryOptions } from './options.ts'

/** State shared by all contexts of an application. */
export interface Application extends ServedApplication {
  readonly line: ApplicationLine
  readonly options: FactoryOptions
  readonly boot: Boot<Instance>
  readonly compilers: DefaultCompilers
  readonly state: {
    /** True once everything is loaded: no more declarations. */
    started: boolean
    listening: boolean
    closing: boolean
  }
  /** Steps of the start that run after all declarations, in order. */
  readonly preReady: PreReadyStep[]
}

interface PreReadyStep {
  finish(): void
  /** Called with the error of the start, if one of the steps fails. */
  refuse?(error: unknown): void
}
