/** Makes the digests that bind a compiled function to all that it was made from. */
import { createSha256 } from '../platform/index.ts'
import type { Digest } from './index.ts'

let sha256: ReturnType<typeof createSha256> | undefined

/**
 * The first 132 bits of the SHA-256 of `content`, in base64url: 22 characters. Text counts as UTF-8.
 *
 * Long enough that no two schemas of an application meet, short enough to stand in the artifact once for each
 * function.
 */
export function digestOf(content: string | Uint8Array): Digest {
  // `node:crypto` takes 2 ms to load, so it is loaded when a digest is first asked for. A hash in JavaScript costs more from a
  // hundred schemas on: the engine spends its time on optimizing it.
  sha256 ??= createSha256()
  return sha256(content).slice(0, 22)
}
