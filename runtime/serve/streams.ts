/** Returns whether the payload can be piped. */
export function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { pipe?: unknown }).pipe === 'function'
}

/** Prevents a stream that fails while hooks are running from ending the process. Its reader gets the error later. */
export function holdErrors(stream: NodeJS.ReadableStream): void {
  if (typeof stream.on === 'function') stream.on('error', noop)
}

function noop(): void {}
