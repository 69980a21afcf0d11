/** Replaces `node:crypto`: hashes, random values and `timingSafeEqual`, the parts that most applications and plugins use. */
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer/index.js'

const hashes = { md5, sha1, sha224, sha256, sha384, sha512 }

type Content = string | Uint8Array

/** A hash or HMAC of `@noble/hashes`. */
interface Sum {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

class Hash {
  readonly #sum: Sum

  constructor(sum: Sum) {
    this.#sum = sum
  }

  update(content: Content, encoding?: BufferEncoding): this {
    this.#sum.update(toBytes(content, encoding))
    return this
  }

  digest(encoding?: BufferEncoding): string | Uint8Array {
    const bytes = Buffer.from(this.#sum.digest())
    if (encoding === undefined) return bytes
    // The package `buffer` doesn't support base64url.
    if (encoding !== 'base64url') return bytes.toString(encoding)
    return bytes.toString('base64').replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
  }
}

function toBytes(content: Content, encoding?: BufferEncoding): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, encoding) : content
}

/** @throws Error for other algorithms */
function hashOf(algorithm: string): (typeof hashes)[keyof typeof hashes] {
  const name = algorithm.toLowerCase().replace('-', '')
  if (!Object.hasOwn(hashes, name)) throw new Error('Digest method not supported')
  return hashes[name as keyof typeof hashes]
}

/** The maximum of `getRandomValues`, in bytes. */
const MAX_RANDOM = 65_536

function randomBytes(
  size: number,
  callback?: (error: null, bytes: Uint8Array) => void,
): Uint8Array | undefined {
  const bytes = Buffer.alloc(size)
  for (let start = 0; start < size; start += MAX_RANDOM) {
    crypto.getRandomValues(bytes.subarray(start, start + MAX_RANDOM))
  }
  if (callback === undefined) return bytes
  queueMicrotask(() => callback(null, bytes))
  return undefined
}

/** Compares in constant time. @throws RangeError, as in Node */
function timingSafeEqual(
  a: ArrayBufferView | ArrayBuffer,
  b: ArrayBufferView | ArrayBuffer,
): boolean {
  const [left, right] = [viewOf(a), viewOf(b)]
  if (left.length !== right.length) {
    throw Object.assign(new RangeError('Input buffers must have the same byte length'), {
      code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    })
  }
  let difference = 0
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] as number)
  return difference === 0
}

function viewOf(value: ArrayBufferView | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value)
}

const module: object = {
  createHash: (algorithm: string): Hash => new Hash(hashOf(algorithm).create()),
  createHmac: (algorithm: string, key: Content): Hash =>
    new Hash(hmac.create(hashOf(algorithm), toBytes(key))),
  getHashes: (): string[] => Object.keys(hashes),
  getRandomValues: (array: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(array),
  randomBytes,
  randomUUID: (): string => crypto.randomUUID(),
  subtle: crypto.subtle,
  timingSafeEqual,
  webcrypto: crypto,
}

export default module
