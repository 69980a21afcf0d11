/** Digests that bind a compiled function to everything that it was made from. */
import { createSha256 } from '../platform/index.ts'
import type { Digest } from './index.ts'

let sha256: ReturnType<typeof createSha256> | undefined

/**
 * Returns the first 132 bits of the SHA-256 of `content` in base64url, 22 characters. Text is hashed as
 * UTF-8.
 *
 * That is long enough to avoid collisions within an application, and short enough to store one per function.
 */
export function digestOf(content: string | Uint8Array): Digest {
  // `node:crypto` takes 2 ms to load, so load it on first use. From a hundred schemas on, a hash written in
  // JavaScript would cost more.
  sha256 ??= createSha256()
  return sha256(content).slice(0, 22)
}
