/** Whether the payload is a stream of any kind: all that counts is that it can be piped. */
export function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { pipe?: unknown }).pipe === 'function'
}

/**
 * Keeps a stream from ending the process when it fails before its turn, while hooks take their time. Whoever reads it
 * then is told.
 */
export function holdErrors(stream: NodeJS.ReadableStream): void {
  if (typeof stream.on === 'function') stream.on('error', noop)
}

function noop(): void {}
