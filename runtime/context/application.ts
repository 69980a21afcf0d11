import type { Boot } from '../boot/index.ts'
import type { DefaultCompilers } from '../compiled/index.ts'
import type { ServedApplication } from '../serve/application.ts'
import type { Instance } from '../serve/model.ts'
import type { FactoryOptions } from './options.ts'

/** What all contexts of one application share. */
export interface Application extends ServedApplication {
  readonly options: FactoryOptions
  readonly boot: Boot<Instance>
  readonly compilers: DefaultCompilers
  readonly state: {
    /** Everything is loaded: no declarations any more. */
    started: boolean
    listening: boolean
    closing: boolean
  }
  readonly exposeHeadRoutes: boolean
  /** Steps of the boot that run once everything is declared, in order. */
  readonly preReady: { finish(): void }[]
}
