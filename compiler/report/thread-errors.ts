/**
 * For a thread of the build: hands errors on as what they are. A DOMException, which `postMessage` throws of what cannot be handed
 * on, is no Error to the threads of Node 20: of it an empty object would arrive.
 */
export function keepErrors(): void {
  process.on('uncaughtException', (error) => {
    if (!(error instanceof DOMException)) throw error
    const { name, message, stack } = error
    throw Object.assign(new Error(message), { name, stack })
  })
}
