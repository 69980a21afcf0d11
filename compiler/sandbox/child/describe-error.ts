/** The reason for everything that the guard denies. */
export const refusal =
  'a schema may not write files, nor use the network, threads, native addons or other processes'

/** The message of an error, in one line. */
export function describe(error: unknown): string {
  try {
    if (isRefused(error)) return refusal
    const text = error instanceof Error ? String(error.message) : String(error)
    return (text.split('\n')[0] ?? '').trim()
  } catch {
    return 'something is thrown that has no text'
  }
}

function isRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'ERR_ACCESS_DENIED' || code === 'ERR_DLOPEN_DISABLED'
}
