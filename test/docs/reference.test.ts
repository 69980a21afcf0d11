/** The reference lists every public member with its doc comment. `UPDATE=1 npm test -- docs/reference` writes the lists. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkPage } from '../support/reference-page.ts'
import { root } from '../support/root.ts'

const pages = readdirSync(join(root, 'docs/reference')).map((file) => `docs/reference/${file}`)

/** These types need a list that takes all members that no other list has. */
const complete = [
  'FastifyInstance',
  'FastifyRequest',
  'FastifyReply',
  'RouteOptions',
  'FastifyServerOptions',
  'FastifyRouterOptions',
]

for (const page of pages) {
  test(`${page} lists the members of the public types`, () => {
    checkPage(page, (now, then) => assert.equal(now, then))
  })
}

test('the reference lists every member of the instance, the request, the reply, routes and options', () => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  for (const type of complete)
    assert.match(text, new RegExp(`members of ${type}(?: as \\w+)?: ?-->`), type)
})
