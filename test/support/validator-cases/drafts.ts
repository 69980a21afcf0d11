/** Specifications other than draft-07, as an application of Fastify 4.21 may ask for them. */
import { createRequire } from 'node:module'
import type { ValidatorCase } from './case.ts'

const require = createRequire(import.meta.url)

interface AjvOfPlugin {
  addVocabulary(vocabulary: unknown): void
  addMetaSchema(schema: unknown): void
}

const vocabulary = (name: string): unknown =>
  (require(`ajv/dist/vocabularies/${name}`) as { default: unknown }).default

/** The keywords of 2019-09 for the class of draft-07. */
function draft2019(ajv: AjvOfPlugin): void {
  for (const name of ['dynamic', 'next', 'unevaluated']) ajv.addVocabulary(vocabulary(name))
}

export const draftCases: readonly ValidatorCase[] = [
  {
    title: '2019-09 by options and vocabularies',
    schema: {
      $id: 'http://x.test/tree',
      $recursiveAnchor: true,
      type: 'object',
      properties: {
        list: { type: 'array', contains: { type: 'integer' }, minContains: 2, maxContains: 3 },
        child: { $recursiveRef: '#' },
      },
      dependentRequired: { list: ['name'] },
      dependentSchemas: { name: { properties: { name: { type: 'string' } } } },
      unevaluatedProperties: false,
    },
    options: {
      customOptions: { next: true, unevaluated: true, dynamicRef: true, strictTypes: false },
      plugins: [draft2019],
    },
    inputs: [
      { list: [1, 2], name: 'x' },
      { list: [1], name: 'x' },
      { list: [1, 2] },
      { child: { list: [1, 2, 3, 4], name: 1 } },
      { child: { extra: 1 } },
      { extra: 1 },
    ],
  },
]
