import type { Reproduction } from '../reproduction.ts'

const text = { type: 'string' }

/** Attacks on response schemas. */
export const serializing: readonly Reproduction[] = [
  {
    advisory: 'fast-json-stringify 7',
    what: '`additionalProperties: false` is ignored next to `patternProperties`',
    async attack({ app, ask }) {
      const shape = {
        type: 'object',
        patternProperties: { '^public': text },
        additionalProperties: false,
      }
      app.get('/', { schema: { response: { 200: shape } } }, async () => ({
        publicName: 'a',
        passwordHash: 'b',
      }))
      await ask(app, '/')
    },
    framework: ['200 {"publicName":"a"}'],
  },
  {
    advisory: 'fast-json-stringify 7',
    what: 'quotes in a date string inject properties into the response',
    async attack({ app, ask }) {
      const shape = { type: 'object', properties: { at: { type: 'string', format: 'date' } } }
      app.get('/', { schema: { response: { 200: shape } } }, async ({ query }) => query)
      await ask(app, `/?at=${encodeURIComponent('","admin":"yes')}`)
    },
    framework: ['200 {"at":"\\",\\"admin\\":\\"yes"}'],
  },
  {
    advisory: 'fast-json-stringify 7',
    what: 'a property name in a response schema is evaluated as code',
    async attack({ app, note }) {
      const name = '${globalThis.hasRun = true}'
      const shape = { type: 'object', properties: { [name]: { type: 'array', items: text } } }
      app.get('/', { schema: { response: { 200: shape } } }, async () => ({ [name]: 'no list' }))
      await app.inject('/')
      note('hasRun' in globalThis ? 'has run' : 'has not run')
    },
    framework: ['has not run'],
  },
]
