/** Defects of find-my-way 7.7 that our router doesn't have, each shown on both. */
import assert from 'node:assert/strict'
import test from 'node:test'
import FindMyWay from 'find-my-way'
import type { ConstraintStrategy } from '../../../runtime/router/index.ts'
import { makeOurs as make } from './find-my-way.ts'
import type { AnyRouter, MakeRouter } from './transcript.ts'

const makePeer = FindMyWay as unknown as MakeRouter

function handler(): void {}

function withRoutes(router: AnyRouter, paths: readonly string[]): AnyRouter {
  paths.forEach((path) => router.on('GET', path, {}, handler, path))
  return router
}

test('findRoute does not confuse a route with one that has another regular expression', () => {
  const ask = (router: AnyRouter): boolean[] => {
    withRoutes(router, ['/:id(a)', '/:id(b)/c'])
    return ['/:id(a)', '/:name(a)', '/:id(b)', '/:id(c)', '/:id', '/:id(b)/c'].map((path) =>
      router.hasRoute('GET', path),
    )
  }
  assert.deepEqual(ask(make({})), [true, true, false, false, false, true])
  assert.deepEqual(ask(makePeer({})), [true, true, true, false, false, true])
})

test('findRoute finds /* when * is registered, which answers the same requests', () => {
  assert.equal(withRoutes(make({}), ['*']).hasRoute('GET', '/*'), true)
  assert.equal(withRoutes(makePeer({}), ['*']).hasRoute('GET', '/*'), false)
})

test('findRoute refuses a path that no route can have, whatever else is registered', () => {
  assert.throws(() => withRoutes(make({}), ['/b']).hasRoute('GET', '/a*b'), /Wildcard must be/)
  assert.equal(withRoutes(makePeer({}), ['/b']).hasRoute('GET', '/a*b'), false)
  assert.throws(() => withRoutes(makePeer({}), ['/a*']).hasRoute('GET', '/a*b'), /Wildcard must be/)
})

test('parameter names can be any text', () => {
  const path = "/:it's/:__proto__/:__proto__"
  const found = withRoutes(make({}), [path]).find('GET', '/1/2/3')
  assert.deepEqual(found?.params, { "it's": '1' })
  assert.equal(Object.getPrototypeOf(found?.params), Object.prototype)
  assert.throws(() => withRoutes(makePeer({}), [path]), SyntaxError)
})

test('constraint names can be any text', () => {
  const strategy: ConstraintStrategy = {
    name: 'x-tenant',
    storage: () => new Map<unknown, number>(),
    deriveConstraint: (req) => req.headers['x-tenant'],
  }
  const add = (router: AnyRouter): AnyRouter => {
    router.on('GET', '/', { constraints: { 'x-tenant': 'a' } }, () => 'a', null)
    return router
  }
  const constraints = { 'x-tenant': strategy }
  const request = { method: 'GET', url: '/', headers: { 'x-tenant': 'a' } }
  assert.equal(add(make({ constraints })).lookup(request, {}), 'a')
  assert.throws(() => add(makePeer({ constraints })), SyntaxError)
})

test('a leaf is still found when it has the maximum of constrained routes', () => {
  const find = (router: AnyRouter): unknown => {
    for (let i = 0; i < 32; i++) {
      router.on('GET', '/', { constraints: { host: `h${i}` } }, handler, i)
    }
    assert.throws(
      () => router.on('GET', '/', { constraints: { host: 'h32' } }, handler, 32),
      /supports a maximum of 32 route handlers per node/,
    )
    return [1, 30, 31].map((i) => router.find('GET', '/', { host: `h${i}` })?.store)
  }
  assert.deepEqual(find(make({})), [1, 30, 31])
  assert.deepEqual(find(makePeer({})), [undefined, undefined, undefined])
})

test('the path of an absolute URL starts after its host, whatever comes after a question mark', () => {
  const urls = ['http://h/a', 'http://h?/a', 'http://h#/a', 'HTTP://h/a', 'https://h', 'http:/h/a']
  const find = (router: AnyRouter): unknown[] => {
    withRoutes(router, ['/', '/a'])
    return urls.map((url) => router.find('GET', url)?.store)
  }
  assert.deepEqual(find(make({})), ['/a', '/', '/', '/a', '/', undefined])
  assert.deepEqual(find(makePeer({})), ['/a', '/a', '/a', undefined, undefined, undefined])
})
