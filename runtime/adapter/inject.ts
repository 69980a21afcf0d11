// STUB
import { createRequire } from 'node:module'
import { errorCodes } from '../errors.ts'
import type { Dispatch } from '../dispatch.ts'
import type { Instance, RawReply, RawRequest } from '../model.ts'
const require = createRequire(import.meta.url)
type Cb = (error: unknown, response?: unknown) => void
export function createInject(
  state: { started: boolean; closing: boolean },
  dispatch: Dispatch,
): (this: Instance, options: unknown, callback?: Cb) => unknown {
  return function inject(this: Instance, options: unknown, callback?: Cb) {
    const light = require('light-my-request')
    if (state.started) {
      if (state.closing) {
        const error = new errorCodes.FST_ERR_REOPENED_CLOSE_SERVER()
        if (callback) {
          callback(error)
          return
        }
        return Promise.reject(error)
      }
      return light(dispatch, options, callback)
    }
    if (callback) {
      this.ready((error: unknown) => {
        if (error) callback(error, null)
        else light(dispatch, options, callback)
      })
      return
    }
    return light((raw: RawRequest, response: RawReply) => {
      this.ready((error: unknown) => {
        if (error) {
          response.emit('error', error as Error)
          return
        }
        dispatch(raw, response)
      })
    }, options)
  }
}
