/** Objects have their class's name in messages and in `console.log`: the build of the package renames what shadows another name. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type Fastify from 'fastify'

type Factory = typeof Fastify

const require = createRequire(import.meta.url)

const lines = [
  ['framework', 'fastify'],
  ['framework/5', 'fastify-5'],
] as const

for (const [name, original] of lines) {
  test(`${name} as an ES module`, async () => {
    const { default: factory } = (await import(name)) as { readonly default: Factory }
    await compare(factory, require(original) as Factory)
  })

  test(`${name} as CommonJS`, () => compare(require(name) as Factory, require(original) as Factory))
}

async function compare(factory: Factory, original: Factory): Promise<void> {
  const [ours, theirs] = [await shownBy(factory), await shownBy(original)]
  assert.deepEqual(ours.messages, theirs.messages)
  const known = new Set(theirs.classes)
  assert.deepEqual(
    ours.classes.filter((one) => !known.has(one)),
    [],
  )
}

interface Shown {
  /** Messages of V8 about a member without a setter. */
  readonly messages: readonly string[]
  /** Names of the classes of what handlers get. */
  readonly classes: readonly string[]
}

async function shownBy(factory: Factory): Promise<Shown> {
  const messages: string[] = []
  const classes: string[] = []
  const app = factory()
  app.post('/:id', async (request, reply) => {
    const { params, query, body, headers } = request
    for (const value of [request, reply, params, query, body, headers])
      classes.push(...classesOf(value))
    for (const value of [request, reply])
      assert.throws(
        () => Object.assign(value, { server: null }),
        ({ message }: Error) => messages.push(message) > 0,
      )
    return {}
  })
  await app.inject({ method: 'POST', url: '/1?a=b', payload: { a: 1 } })
  await app.close()
  return { messages, classes }
}

function classesOf(value: unknown): string[] {
  const prototype: object | null = Object.getPrototypeOf(value)
  if (prototype === null) return []
  const { constructor } = prototype
  return Object.hasOwn(prototype, 'constructor')
    ? [constructor.name, ...classesOf(prototype)]
    : classesOf(prototype)
}
