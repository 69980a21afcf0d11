import type { Readable } from 'node:stream'
import type { FastifyError } from './error.ts'

/** Goes on, or fails the request with the error. */
export type HookHandlerDoneFunction = <TError extends Error = FastifyError>(err?: TError) => void

/** The body on its way to the parser. A hook that decodes it counts the encoded bytes on it for `bodyLimit`. */
export interface RequestPayload extends Readable {
  receivedEncodedLength?: number
}

/** Goes on with the same payload, with another one, or fails the request. */
export interface DoneFuncWithErrOrRes {
  (): void
  <TError extends Error = FastifyError>(err: TError): void
  (err: null, res: unknown): void
}
