/** Pages that need no installation do what they show. */
import { test } from 'node:test'
import { runHere } from './own-packages.ts'

const pages: readonly string[] = [
  'README.md',
  'docs/guide/getting-started.md',
  'docs/guide/contexts.md',
  'docs/guide/schemas.md',
  'docs/guide/typebox-and-zod.md',
  'docs/reference/errors.md',
]
for (const page of pages) test(`${page} does what it shows`, (t) => runHere(t, { page }))
