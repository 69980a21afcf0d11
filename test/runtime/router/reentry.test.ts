/** A constraint strategy is foreign code in the middle of a look-up. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { type ConstraintStorage, createRouter } from '../../../runtime/router/index.ts'

function routerWith(get: ConstraintStorage['get']): ReturnType<typeof createRouter> {
  const router = createRouter({
    constraints: {
      tenant: {
        name: 'tenant',
        storage: () => ({ get, set() {} }),
        deriveConstraint: (req) => req.headers['tenant'],
      },
    },
  })
  router.on('GET', '/a/:x/:y', { constraints: { tenant: 'one' } }, () => {}, 'tenants')
  router.on('POST', '/b/:other/*', () => {}, 'others')
  return router
}

test('a strategy may look up another route', () => {
  const inner: unknown[] = []
  const router = routerWith(() => {
    inner.push(router.find('POST', '/b/3/4/5')?.params)
    return 1
  })
  // Not the first look-up: what one needs is kept for the next.
  router.find('GET', '/a/0/0', { tenant: 'one' })
  const found = router.find('GET', '/a/1/2?q=1', { tenant: 'one' })
  assert.deepEqual(found?.params, { x: '1', y: '2' })
  assert.deepEqual({ ...(found.searchParams as object) }, { q: '1' })
  assert.deepEqual(inner.at(-1), { other: '3', '*': '4/5' })
})

test('a look-up that a strategy ends by throwing leaves nothing behind', () => {
  let calls = 0
  const router = routerWith(() => {
    // The first call comes when the route is put into the storage.
    if (calls++ === 1) {
      throw new Error('No tenants today')
    }
    return 1
  })
  assert.throws(() => router.find('GET', '/a/1/2', { tenant: 'one' }), /No tenants today/)
  assert.deepEqual(router.find('GET', '/a/3/4', { tenant: 'one' })?.params, { x: '3', y: '4' })
})
