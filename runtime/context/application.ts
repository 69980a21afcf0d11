import type { Boot } from '../boot/index.ts'
import type { DefaultCompilers } from '../compiled/index.ts'
import type { Instance, Logger, RawReply, RawRequest } from '../serve/model.ts'
import type { FactoryOptions } from './options.ts'
import type { DeclaredRoute } from '../route/declared.ts'
import type { Router } from '../router/index.ts'

/** What all contexts of one application share. */
export interface Application {
  readonly options: FactoryOptions
  readonly root: Instance
  readonly boot: Boot<Instance>
  readonly router: Router<RawRequest, RawReply, DeclaredRoute>
  readonly compilers: DefaultCompilers
  readonly state: {
    /** Everything is loaded: no declarations any more. */
    started: boolean
    listening: boolean
    closing: boolean
  }
  readonly logger: Logger
  readonly hasLogger: boolean
  readonly disableRequestLogging: boolean
  readonly requestIdLogLabel: string
  readonly genReqId: (raw: RawRequest) => string
  readonly validateHttpVersion: (version: string) => boolean
  readonly return503OnClosing: boolean
  readonly exposeHeadRoutes: boolean
  /** Bytes. */
  readonly bodyLimit: number
  /** Steps of the boot that run once everything is declared, in order. */
  readonly preReady: { finish(): void }[]
}
