/**
 * Makes errors survive `postMessage` to other threads. On Node 20, a DOMException, which `postMessage` throws
 * for values that can't be cloned, would arrive as an empty object.
 */
export function keepErrors(): void {
  process.on('uncaughtException', (error) => {
    if (!(error instanceof DOMException)) throw error
    const { name, message, stack } = error
    throw Object.assign(new Error(message), { name, stack })
  })
}
