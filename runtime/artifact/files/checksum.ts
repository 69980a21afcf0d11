/** Checksums that detect damaged files. */
import { createCrc32 } from '../../platform/index.ts'

let crc32: ReturnType<typeof createCrc32> | undefined

/**
 * Returns the CRC-32 of `content`, text as UTF-8.
 *
 * It detects accidental damage. It doesn't protect against attackers: whoever can write the functions can
 * write their checksums as well.
 */
export function checksumOf(content: string | Uint8Array): number {
  // Loaded on first use. It loads four times faster than `node:crypto`.
  crc32 ??= createCrc32()
  return crc32(content)
}
