/** The web's replacements of Node's modules return the same results as Node's. */
import assert from 'node:assert/strict'
import * as nodeCrypto from 'node:crypto'
import { test } from 'node:test'
import * as nodeUrl from 'node:url'
import fc from 'fast-check'
import * as node from '../../../runtime/platform/node.ts'
import standInCrypto from '../../../runtime/platform/web/crypto.ts'
import standInProcess from '../../../runtime/platform/web/process.ts'
import * as web from '../../../runtime/platform/web/index.ts'
import standInUrl from '../../../runtime/platform/web/url.ts'
import { runs } from '../../support/runs.ts'

const crypto = standInCrypto as typeof nodeCrypto
const url = standInUrl as typeof nodeUrl

const content = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array())

test('digests are those of Node', () => {
  const [webSha256, sha256] = [web.createSha256(), node.createSha256()]
  const property = fc.property(content, (one) => assert.equal(webSha256(one), sha256(one)))
  fc.assert(property, runs(200))
})

test('a warning shows its type and code, given as options or one by one', (t) => {
  const { mock } = t.mock.method(console, 'warn', () => {})
  standInProcess.emitWarning('late', { type: 'Slow', code: 'S1' })
  standInProcess.emitWarning('late', 'Slow', 'S1')
  assert.deepEqual(
    mock.calls.map((call) => call.arguments),
    [['[S1] Slow: late'], ['[S1] Slow: late']],
  )
})

test('messages are formatted as on Node', () => {
  const argument = fc.oneof(fc.anything(), fc.string(), fc.integer(), fc.constant(Symbol('a')))
  const property = fc.property(fc.array(argument, { maxLength: 3 }), (args) => {
    for (const text of ['%s', '%s and "%s"', '100%', '%d %%'])
      assert.equal(web.format(text, ...args), node.format(text, ...args))
  })
  fc.assert(property, runs(200))
})

test('hashes and comparisons are those of node:crypto', () => {
  const algorithm = fc.constantFrom('md5', 'sha1', 'sha224', 'sha256', 'SHA-384', 'sha512')
  const encoding = fc.constantFrom('hex', 'base64', 'base64url', undefined)
  const property = fc.property(algorithm, encoding, content, content, (name, form, a, b) => {
    const digestsOf = ({ createHash, createHmac }: typeof nodeCrypto) =>
      [createHash(name).update(a), createHmac(name, a)].map((hash) =>
        text(hash.update(b).digest(form as 'hex')),
      )
    assert.deepEqual(digestsOf(crypto), digestsOf(nodeCrypto))
    const [left, right] = [Buffer.from(a as string), Buffer.from(b as string)]
    assert.deepEqual(
      outcome(() => crypto.timingSafeEqual(left, right)),
      outcome(() => nodeCrypto.timingSafeEqual(left, right)),
    )
    assert.ok(crypto.timingSafeEqual(left, Uint8Array.from(left)))
  })
  fc.assert(property, runs(200))
  assert.throws(() => crypto.createHash('sha9'))
})

test('random values have the requested length, and differ each time', async () => {
  assert.equal(crypto.randomBytes(200_000).length, 200_000)
  const called = await new Promise<Uint8Array>((resolve) =>
    crypto.randomBytes(16, (_error, bytes) => resolve(bytes)),
  )
  assert.notDeepEqual([...crypto.randomBytes(16)], [...called])
})

test('paths and URLs of files are converted as on Node', () => {
  const property = fc.property(
    fc.array(fc.string({ minLength: 1 }).filter((part) => !/[/\0\\]|^\.{1,2}$/.test(part))),
    (parts) => {
      const path = `/${parts.join('/')}`
      assert.equal(nodeUrl.fileURLToPath(url.pathToFileURL(path)), path)
      assert.equal(url.fileURLToPath(nodeUrl.pathToFileURL(path)), path)
    },
  )
  fc.assert(property, runs(200))
})

/** Bytes as text: those of two libraries are of two classes. */
function text(value: unknown): unknown {
  return typeof value === 'string' ? value : [...(value as Uint8Array)]
}

function outcome(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
