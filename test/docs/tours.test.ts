/** Pages that need no installation do what they show. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Recipe } from '../recipes/page.ts'
import { runHere } from './own-packages.ts'

const testing = 'docs/guide/testing.md'
const recipes: readonly Recipe[] = [
  { page: 'README.md' },
  { page: 'docs/guide/getting-started.md' },
  { page: 'docs/guide/contexts.md' },
  { page: 'docs/guide/schemas.md' },
  { page: 'docs/guide/typebox-and-zod.md' },
  { page: 'docs/guide/rules.md' },
  { page: 'docs/guide/vite.md', section: 'On Node' },
  { page: 'docs/reference/errors.md' },
  { page: testing, section: 'node:test' },
  { page: testing, section: 'Vitest' },
  {
    page: testing,
    section: 'Jest',
    prepare: (folder) => writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }'),
  },
]
for (const recipe of recipes) {
  const { page, section = 'the page' } = recipe
  test(`${page} does what it shows: ${section}`, (t) => runHere(t, recipe))
}
