import { errorCodes } from '../errors/index.ts'
import { nodeModule } from '../platform/index.ts'
import type { Dispatch } from '../serve/dispatch.ts'
import { type InjectPackage, loadPackage } from '../serve/load-package.ts'
import type { Instance, RawReply, RawRequest } from '../serve/model.ts'

type InjectCallback = (error: unknown, response: unknown) => void

/** With a callback it returns nothing, otherwise a chain that is also a promise. */
type LightMyRequest = (dispatch: Dispatch, options: unknown, callback?: InjectCallback) => unknown

interface ApplicationState {
  readonly started: boolean
  readonly closing: boolean
}

/**
 * Creates `instance.inject`, which starts the application and answers a simulated request.
 *
 * @throws FST_ERR_REOPENED_CLOSE_SERVER after `close`, to the callback or as a rejection
 */
export function createInject(
  state: ApplicationState,
  serve: Dispatch,
  name: InjectPackage,
): (this: Instance, options: unknown, callback?: InjectCallback) => unknown {
  const dispatch = name === 'light-my-request-6' ? withoutForbiddenBodies(serve) : serve
  return function inject(request, callback) {
    const options = allowQuery(request)
    if (state.started && state.closing) {
      const error = new errorCodes.FST_ERR_REOPENED_CLOSE_SERVER()
      if (!callback) return Promise.reject(error)
      callback(error, undefined)
      return undefined
    }
    const lightMyRequest = loadPackage(name) as LightMyRequest
    if (state.started) return lightMyRequest(dispatch, options, callback)
    if (callback) {
      this.ready((error) => {
        if (error) callback(error, null)
        else lightMyRequest(dispatch, options, callback)
      })
      return undefined
    }
    const dispatchWhenReady = (raw: RawRequest, response: RawReply): void => {
      this.ready((error) => {
        if (error) response.emit('error', error as Error)
        else dispatch(raw, response)
      })
    }
    return lightMyRequest(dispatchWhenReady, options)
  }
}

/** Drops the bodies that a server doesn't send, as newer releases of light-my-request do, which need Node 22. */
function withoutForbiddenBodies(dispatch: Dispatch): Dispatch {
  return (raw, response) => {
    const { write } = response
    const { write: writeOnNode } = nodeModule('node:http').ServerResponse.prototype
    const isForbidden = (): boolean =>
      raw.method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304
    // Node writes the head and calls back, but drops the body.
    response.write = ((...args: Parameters<typeof write>) =>
      (isForbidden() ? writeOnNode : write).apply(response, args)) as typeof write
    dispatch(raw, response)
  }
}

/** Turns off the validation of light-my-request 5 for QUERY requests, a method that it doesn't know. */
function allowQuery(options: unknown): unknown {
  const { method } = (options ?? {}) as { method?: unknown }
  if (typeof method !== 'string' || method.toUpperCase() !== 'QUERY') return options
  return { ...(options as object), validate: false }
}
