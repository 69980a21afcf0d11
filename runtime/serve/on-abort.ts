import type { RawReply, RawRequest } from './model.ts'

/**
 * Calls back once if the connection is closed before the response was sent.
 *
 * A request that was read to its end doesn't notice, so this listens to the response as well.
 */
export function onAbort(
  request: RawRequest,
  response: RawReply | undefined,
  callback: () => void,
): void {
  let isAborted = false
  request.on('close', () => request.aborted && abort())
  response?.on('close', () => !response.writableFinished && !request.aborted && abort())

  function abort(): void {
    if (isAborted) return
    isAborted = true
    callback()
  }
}
