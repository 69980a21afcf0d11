/** In place of Fastify in the provider's tests: the real one. Writes a line of JSON for each type of a route, as a build compiles it. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ZodType } from '../../runtime/artifact/zod-digest.ts'
import { compileParser } from '../../compiler/sandbox/schema-libraries/zod/compile.ts'
import type { ZodCore } from '../../compiler/sandbox/schema-libraries/zod/core.ts'

interface Instance {
  addHook(name: 'onRoute', hook: (route: { readonly schema?: unknown }) => void): void
}

const { PACKAGES, RECORD } = process.env as Readonly<Record<string, string>>
const load = (file: string): Promise<unknown> =>
  import(pathToFileURL(join(PACKAGES as string, file)).href)
const core = (await load('zod/v4/core/index.js')) as ZodCore
const { fastify } = (await load('fastify/fastify.js')) as {
  readonly fastify: (options?: object) => Instance
}

export default function createApp(options?: object): Instance {
  const app = fastify(options)
  app.addHook('onRoute', ({ schema }) => {
    for (const type of typesIn(schema))
      appendFileSync(RECORD as string, `${JSON.stringify(compileParser(type, core))}\n`)
  })
  return app
}

function typesIn(value: unknown): readonly ZodType[] {
  if (typeof value !== 'object' || value === null) return []
  return '_zod' in value ? [value as ZodType] : Object.values(value).flatMap(typesIn)
}
