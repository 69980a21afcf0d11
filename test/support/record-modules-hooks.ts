/** Sends the URL of each loaded module to `record-modules.ts`. */
import type { LoadHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'

let port: MessagePort

export function initialize(data: { port: MessagePort }): void {
  ;({ port } = data)
}

export const load: LoadHook = (url, context, nextLoad) => {
  port.postMessage(url)
  return nextLoad(url, context)
}
