/** Compares several parameters in one segment with find-my-way 9, which Fastify 5 uses. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import fc from 'fast-check'
import { Router } from '../../../runtime/router/index.ts'
import { runs } from '../../support/runs.ts'

interface Found {
  readonly params: object
}
interface Peer {
  on(method: string, path: string, handler: () => void): void
  find(method: string, url: string): Found | null
}
const require = createRequire(import.meta.url)
const createPeer = createRequire(require.resolve('fastify-5'))('find-my-way') as (
  options: object,
) => Peer

const nothing = (): void => {}

/** The parameters that each router finds, or its error. */
function paramsOf(path: string, urls: readonly string[]): [ours: unknown, theirs: unknown] {
  const ours = new Router({ isVersion9: true })
  const peer = createPeer({})
  const all = (add: () => void, find: (url: string) => Found | null): unknown => {
    try {
      add()
    } catch (error) {
      return String(error)
    }
    return urls.map((url) => [url, { ...find(url)?.params }])
  }
  return [
    all(
      () => ours.on('GET', path, {}, nothing),
      (url) => ours.find('GET', url),
    ),
    all(
      () => peer.on('GET', path, nothing),
      (url) => peer.find('GET', url),
    ),
  ]
}

const separator = fc.constantFrom('.', '-', '--', '-v.', '.-')
const expression = fc.constantFrom('', '', '', '(\\d+)', '([a-z]*)', '(.+)', '(a|-)')
const path = fc
  .array(fc.tuple(expression, separator), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom('', '.js').map((end) => ({ parts, end })))
  .map(({ parts, end }) =>
    parts.map(([regex, text], i) => `:p${i}${regex}${i < parts.length - 1 ? text : end}`).join(''),
  )
const segment = fc
  .array(fc.constantFrom('a', 'b', '1', '.', '-', 'v', '-v.', '.js'), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('the last parameter ends with the first separator that can follow, as in find-my-way 9', () => {
  const [ours, theirs] = paramsOf('/file/:name.:ext', ['/file/a.b.c', '/file/a..', '/file/.a'])
  assert.deepEqual(ours, [
    ['/file/a.b.c', { name: 'a.b', ext: 'c' }],
    ['/file/a..', { name: 'a', ext: '.' }],
    ['/file/.a', { name: '', ext: 'a' }],
  ])
  assert.deepEqual(theirs, ours)
  const segments = fc.array(segment, { minLength: 5, maxLength: 20 })
  fc.assert(
    fc.property(path, segments, (pattern, texts) => {
      const urls = texts.map((text) => `/${text}`)
      const [found, expected] = paramsOf(`/${pattern}`, urls)
      assert.deepEqual(found, expected, pattern)
    }),
    runs(200),
  )
})

test('the parameters of find-my-way 9 are found in linear time', () => {
  const router = new Router({ isVersion9: true, maxParamLength: 1e6 })
  router.on('GET', '/:a-:b.:c-:d.:e--:f', {}, nothing)
  const start = performance.now()
  for (const text of ['-', '.', '-.', '--.', 'a-a.']) {
    router.find('GET', `/${text.repeat(20_000)}!`)
  }
  assert.ok(performance.now() - start < 2000)
})
