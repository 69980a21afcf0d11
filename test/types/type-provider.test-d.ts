import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { FastifyTypeProvider as ForeignTypeProvider } from 'fastify'
import framework from 'framework'
import { same } from './expect.ts'

// As published providers are written: against the other package's interface. `conformance:types` tests those of this one.
interface ForeignTypeBoxProvider extends ForeignTypeProvider {
  output: this['input'] extends TSchema ? Static<this['input']> : unknown
}

const Book = Type.Object({ id: Type.Number(), title: Type.String() })

framework()
  .withTypeProvider<ForeignTypeBoxProvider>()
  .post('/', { schema: { body: Book } }, (request) => same<string>()(request.body.title))

// @ts-expect-error not a provider
framework().withTypeProvider<{ inputs: unknown }>()
