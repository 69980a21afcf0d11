import { nextTick } from '../../platform/index.ts'
import type { RawReply } from '../../serve/model.ts'

/**
 * Makes the chunks that a stream has at once a single write. Called in the tick in which the stream was piped.
 *
 * Node corks the socket for the first write, and uncorks it one tick before such a stream ends. This corks it for that tick as well.
 *
 * @returns a function that uncorks earlier
 */
export function gatherChunks(response: RawReply): () => void {
  const { socket } = response
  let isCorked = false
  nextTick(cork)
  return uncork

  function cork(): void {
    if (socket === null || socket.writableCorked === 0 || response.writableNeedDrain) return
    isCorked = true
    socket.cork()
    nextTick(uncork)
  }

  function uncork(): void {
    // `end` uncorks by itself.
    if (isCorked && !response.finished) socket?.uncork()
    isCorked = false
  }
}
