import type { Reproduction, Target } from '../reproduction.ts'

const echo = { method: 'POST', url: '/', headers: { 'content-type': 'application/json' } } as const

/** Posts bodies, which are returned as the handler sees them. */
async function post({ app, ask }: Target, schema: object, ...payloads: readonly string[]) {
  app.post('/', { schema }, async ({ body }) => ({ body }))
  for (const payload of payloads) await ask(app, { ...echo, payload })
}

/** Sends requests with one more header than necessary. */
async function askFor(
  { app, ask }: Target,
  headers: object,
  sent: Readonly<Record<string, string>>,
): Promise<void> {
  app.get('/', { schema: { headers: { type: 'object', ...headers } } }, async () => 'served')
  await ask(app, { url: '/', headers: sent })
}

const isOrdinary = { properties: { 'X-Admin': { const: 'no' } } } as const

/** Header schemas that refuse the header `X-Admin`, with the message of the refusal. `artifact/header-names.test.ts` has every keyword. */
const headerKeywords: Readonly<Record<string, readonly [headers: object, message: string]>> = {
  'a header in `dependencies`': [
    { dependencies: { 'X-Admin': ['X-Key'] } },
    'headers must have property x-key when property x-admin is present',
  ],
  'a header in `not`': [{ not: { required: ['X-Admin'] } }, 'headers must NOT be valid'],
  'a header in `allOf`': [{ allOf: [isOrdinary] }, 'headers/x-admin must be equal to constant'],
}

/** Requests that bypass their schemas. */
export const schemas: readonly Reproduction[] = [
  {
    advisory: 'GHSA-w2qp-rph6-63g4',
    what: "a coerced body that isn't an object reaches the handler uncoerced",
    attack: (target) => post(target, { body: { type: 'integer' } }, '"12"'),
    framework: ['200 {"body":12}'],
  },
  {
    advisory: 'GHSA-w2qp-rph6-63g4',
    what: 'a body coerced to an array reaches the handler uncoerced',
    attack: (target) => post(target, { body: { type: 'array', maxItems: 2 } }, '"12"'),
    framework: ['200 {"body":["12"]}'],
  },
  {
    advisory: 'GHSA-667r-xxjv-c9mm',
    what: 'with an `$async` schema, a property `value` replaces the validated body',
    attack: (target) =>
      post(
        target,
        { body: { $async: true, type: 'object', properties: { name: { type: 'string' } } } },
        '{"name":"a","value":{"name":["not","validated"]}}',
      ),
    framework: ['200 {"body":{"name":"a","value":{"name":["not","validated"]}}}'],
  },
  {
    advisory: 'GHSA-667r-xxjv-c9mm',
    what: 'with an `$async` schema, a property `error` is treated as a validation error',
    attack: (target) =>
      post(target, { body: { $async: true, type: 'object' } }, '{"error":{"length":0}}'),
    framework: ['200 {"body":{"error":{"length":0}}}'],
  },
  ...Object.entries({
    'a regular expression': /admin/g,
    'an object with a regular expression': { validate: /admin/y },
  }).map(([what, reserved]): Reproduction => ({
    advisory: 'none published',
    what: `every other request passes by a format that is ${what} with a state`,
    row: 'every other request passes by a format that is a regular expression with the flag `g` or `y`',
    async attack(target) {
      const app = target.create({ ajv: { customOptions: { formats: { reserved } } } })
      const body = { type: 'string', not: { format: 'reserved' } }
      app.post('/', { schema: { body } }, async () => 'accepted')
      for (const payload of ['"admin"', '"admin"', '"user"'])
        await target.ask(app, { ...echo, payload })
    },
    framework: [
      refused('body must NOT be valid'),
      refused('body must NOT be valid'),
      '200 accepted',
    ],
  })),
  {
    advisory: 'none published',
    what: 'the format `url` takes quadratic time',
    async attack({ app, note }) {
      app.post('/', { schema: { body: { type: 'string', format: 'url' } } }, async () => 'accepted')
      for (const text of [':'.repeat(300_000), `${'@a.bb/'.repeat(100_000)} `]) {
        const payload = JSON.stringify(`http://${text}`)
        const { statusCode } = await app.inject({ ...echo, payload })
        note(String(statusCode))
      }
    },
    framework: ['400', '400'],
  },
  ...['body', 'querystring', 'query', 'params', 'headers'].map((part): Reproduction => ({
    advisory: 'GHSA-hwr6-493r-vm6h',
    what: `the schema \`false\` for \`${part}\` accepts everything`,
    row: 'the schema `false` for a part of the request accepts everything',
    attack: (target) => post(target, { [part]: false }, '{}'),
    framework: [refused(`${part === 'query' ? 'querystring' : part} boolean schema is false`)],
  })),
  ...Object.entries(headerKeywords).map(([what, [headers, message]]): Reproduction => ({
    advisory: 'GHSA-9q9j-q6p8-xq58',
    what: `${what} is ignored unless its name is lower case`,
    row: 'header names in `not`, `if`, `allOf`, `dependencies` and other nested keywords match only in lower case',
    attack: (target) => askFor(target, headers, { 'x-admin': 'yes' }),
    framework: [refused(message)],
  })),
]

function refused(message: string): string {
  return `400 {"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"${message}"}`
}
