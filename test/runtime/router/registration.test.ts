import assert from 'node:assert/strict'
import test from 'node:test'
import FindMyWay from 'find-my-way'
import framework from 'framework'
import { Router } from '../../../runtime/router/index.ts'
import { countWork } from '../../support/work.ts'

const more = 100

/** All of the same length, since texts are read character by character. */
const pathOf = (index: number): string => `/things-${String(index).padStart(5, '0')}/:id`

/** The work of registering so many more routes after `before`. */
type Registration = (before: number) => Promise<number>

const registrations: Record<string, Registration> = {
  'the router': (before) => {
    const router = new Router()
    const add = (from: number, to: number): void => {
      for (let i = from; i < to; i++) router.on('GET', pathOf(i), {}, () => {})
    }
    add(0, before)
    return countWork(/\/dist\/runtime\/router\//, () => add(before, before + more))
  },
  ...forApplication('an application', {}),
  ...forApplication('an application that ignores slashes', { ignoreTrailingSlash: true }),
  ...forApplication('an application without HEAD routes', { exposeHeadRoutes: false }),
}

function forApplication(name: string, options: object): Record<string, Registration> {
  const declared = (count: number): { app: ReturnType<typeof framework>; add(): void } => {
    const app = framework(options)
    let next = 0
    const add = (to: number): void => {
      for (; next < to; next++) app.get(pathOf(next), { schema: {} }, async () => next)
    }
    add(count)
    return { app, add: () => add(count + more) }
  }
  return {
    [name]: (before) => {
      const { add } = declared(before)
      return countWork(/\/runtime\/dist\//, add)
    },
    [`the boot of ${name}`]: async (before) => {
      const [small, large] = [declared(before), declared(before)]
      large.add()
      const boot = ({ app }: typeof small): Promise<number> =>
        countWork(/\/runtime\/dist\//, () => app.ready())
      return (await boot(large)) - (await boot(small))
    },
  }
}

for (const [name, register] of Object.entries(registrations)) {
  test(`a route costs ${name} no more after 10,000 others than after 10`, async () => {
    // Some code runs only the first time.
    await register(10)
    const few = await register(10)
    const many = await register(10_000)
    assert.ok(few >= more, `${few} steps are too few to be all`)
    // A larger tree is a few nodes deeper.
    assert.ok(many < 1.1 * few, `${few} steps after 10 routes, ${many} after 10,000`)
  })
}

test('the count detects a cost that grows with the number of routes', async () => {
  const register = (before: number): Promise<number> => {
    const router = FindMyWay()
    for (let i = 0; i < before; i++) router.on('GET', pathOf(i), {}, () => {})
    // It compares a route with every other one.
    return countWork(/\/find-my-way\//, () => router.on('GET', pathOf(before), {}, () => {}))
  }
  await register(10)
  assert.ok((await register(1000)) > 5 * (await register(10)))
})

test('an empty part takes no time, however often it is repeated', () => {
  const router = new Router()
  router.on('GET', '/:a((?:){1000000000}b)', {}, () => {})
  assert.equal(router.find('GET', '/b', undefined)?.params['a'], 'b')
})
