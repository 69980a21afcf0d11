/** Makes the digests that bind a compiled function to all that it was made from. */
import type { Digest } from './index.ts'

/**
 * The 128-bit MurmurHash3 (x86 variant, seed 0) of some texts, one after the other in UTF-8; 22 characters of
 * base64url.
 *
 * Long enough that no two schemas of an application meet. It guards against what is stale or damaged, not
 * against whoever may write the artifact, so it need not be cryptographic; `node:crypto` would take 2 ms of
 * every cold start to load, and is not there on every platform.
 *
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function digestOf(...texts: readonly string[]): Digest {
  hash(fill(texts))
  for (let i = 0; i < 22; i++) characters[i] = ALPHABET.charCodeAt(bitsAt(i * 6))
  return String.fromCharCode.apply(null, characters)
}

const words = new Int32Array(4)
const characters = Array.from({ length: 22 }, () => 0)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Six bits from the position `bit` on; those after the end are 0. */
function bitsAt(bit: number): number {
  const word = bit >>> 5
  const offset = bit & 31
  const low = (words[word] as number) >>> offset
  const high = offset > 26 && word < 3 ? (words[word + 1] as number) << (32 - offset) : 0
  return (low | high) & 63
}

const encoder = new TextEncoder()

/** What is hashed, by bytes and by words; longer after each longer content. */
let bytes = new Uint8Array(16 * 1024)
let blocks = new Int32Array(bytes.buffer)

/** Copies the texts to `bytes`, with zeros up to the next block of 16; returns their length. */
function fill(texts: readonly string[]): number {
  let units = 0
  for (const text of texts) units += text.length
  // UTF-8 takes three bytes for a UTF-16 unit at most.
  const most = units * 3 + 16
  if (most > bytes.length) {
    bytes = new Uint8Array(Math.max(most + 16 - (most % 16), bytes.length * 2))
    blocks = new Int32Array(bytes.buffer)
  }
  let length = 0
  for (const text of texts) length += encoder.encodeInto(text, bytes.subarray(length)).written
  bytes.fill(0, length, length + 16)
  return length
}

const C1 = 0x239b961b
const C2 = 0xab0e9789
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93

function hash(length: number): void {
  const { imul } = Math
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  const end = (length >>> 4) << 2
  for (let i = 0; i < end; i += 4) {
    h1 ^= imul(rotate(imul(blocks[i] as number, C1), 15), C2)
    h1 = (imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
    h2 ^= imul(rotate(imul(blocks[i + 1] as number, C2), 16), C3)
    h2 = (imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
    h3 ^= imul(rotate(imul(blocks[i + 2] as number, C3), 17), C4)
    h3 = (imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
    h4 ^= imul(rotate(imul(blocks[i + 3] as number, C4), 18), C1)
    h4 = (imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
  }
  // The rest, which `fill` has padded with zeros: a word without bytes changes nothing.
  h4 ^= imul(rotate(imul(blocks[end + 3] as number, C4), 18), C1)
  h3 ^= imul(rotate(imul(blocks[end + 2] as number, C3), 17), C4)
  h2 ^= imul(rotate(imul(blocks[end + 1] as number, C2), 16), C3)
  h1 ^= imul(rotate(imul(blocks[end] as number, C1), 15), C2)

  h1 ^= length
  h2 ^= length
  h3 ^= length
  h4 ^= length
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = (h2 + h1) | 0
  h3 = (h3 + h1) | 0
  h4 = (h4 + h1) | 0
  h1 = mix(h1)
  h2 = mix(h2)
  h3 = mix(h3)
  h4 = mix(h4)
  h1 = (h1 + h2 + h3 + h4) | 0
  words[0] = h1
  words[1] = (h2 + h1) | 0
  words[2] = (h3 + h1) | 0
  words[3] = (h4 + h1) | 0
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function mix(value: number): number {
  let h = value ^ (value >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
