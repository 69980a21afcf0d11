import type { ServerResponse } from 'node:http'
import { createAsyncResource, streams } from '../platform/index.ts'
import { isNodes } from './head.ts'

/** @param error that the response failed with, or that its connection has ended before */
type OnEnd = (error?: unknown) => void

/** Since Node 22, `finished` calls back in the async context that it was called in. */
let keepsContext: boolean | undefined

/**
 * Hears the end of a response, once, as `finished` of `node:stream` does. That looks at each kind of stream that there is, which
 * takes some hundredths of an answer that is a stream.
 */
export function hearEnd(this: unknown, onEnd: OnEnd): void {
  const response = this as ServerResponse
  const { finished } = streams()
  if (response.destroyed || response.closed) {
    finished(response, onEnd)
    return
  }
  keepsContext ??= isNodes(finished, 'bindAsyncResource(')
  const scope = keepsContext ? createAsyncResource('STREAM_END_OF_STREAM') : undefined
  let isOver = false
  const end = (error?: unknown): void => {
    if (isOver) return
    isOver = true
    if (scope === undefined) onEnd(error)
    else scope.runInAsyncScope(onEnd, response, error)
  }
  response.on('finish', () => end())
  response.on('error', end)
  response.on('close', () => end(response.writableFinished ? undefined : prematureClose()))
}

/** As Node names it. */
function prematureClose(): Error {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
