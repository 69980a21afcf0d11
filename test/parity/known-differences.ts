/** The only differences from Fastify 4.21 that are allowed. An entry that no longer differs fails the test. */

export interface KnownDifference {
  readonly app: string
  /** The reason, and why this answer is right. */
  readonly reason: string
  /** The exact titles of the requests that show it. */
  readonly requests: readonly string[]
}

const vat = '"NL123456789B01"'

export const knownDifferences: readonly KnownDifference[] = [
  ...because('A 204 has no content, and no headers about it (RFC 9110).', {
    'post-office': ['GET /replies/no-content'],
    bookshop: ['GET /v1/feed: query.status = 204'],
    plugins: ['HEAD /archive/nothing with accept-encoding: gzip'],
  }),
  ...because(
    'fast-json-stringify 5, which Fastify 4.21 uses, writes the text of a string with a date format as it is: a quote or a backslash in it makes the answer invalid JSON. Version 7 escapes it.',
    {
      'post-office': [
        'GET /replies/stamped?at=5%22%20past',
        'GET /replies/stamped?at=a%5Cb',
        'GET /replies/stamped?at=a%5Cb (inject)',
      ],
    },
  ),
  ...because(
    'GHSA-w2qp-rph6-63g4: what a validator makes of a body that is no object reaches the handler, as on Fastify 5.12 (docs/reference/security.md).',
    {
      'post-office': [
        'POST /telegrams/checked: body = "abc"',
        'POST /telegrams/checked: body = null',
        'POST /telegrams/checked: body = "stop"',
        'POST /telegrams/checked: body is "null"',
        'POST /telegrams/checked: body is "true"',
        'POST /telegrams/checked: body is "0"',
        'POST /telegrams/checked: body is "\\"text\\""',
        'POST /telegrams/checked: neither body nor content type',
        'POST /telegrams/checked: body is "null" (inject)',
      ],
      bookshop: [
        'PATCH /v1/books/{isbn}: body = false',
        'PATCH /v1/books/{isbn}: body is "0"',
        'PATCH /v1/books/{isbn}: body is "0" (inject)',
      ],
      harbour: [
        'POST /ports/nlvel/tides/north-mole/readings: body = null',
        'POST /ports/nlvel/tides/north-mole/readings: body = null (inject)',
        'POST /ports/nlvel/tides/north-mole/readings: body = 1.2',
        'POST /ports/nlvel/tides/inner-basin/readings: body = null',
        'POST /ports/nlvel/tides/inner-basin/readings: body = 1.2',
      ],
    },
  ),
  ...because(
    'find-my-way 9.7: an empty parameter is not taken for one that matches a regular expression (docs/reference/security.md).',
    {
      museum: [
        'POST /loans/incoming/{id}/extension: params.id = ""',
        'POST /loans/outgoing/{id}/extension: params.id = ""',
      ],
      railway: ['GET /api/v1/incidents/{year}/{month}: params.year = ""'],
      bookshop: [
        'GET /v1/books/{isbn}/reviews/{review}/flags/{flag}: params.flag = ""',
        'GET /v1/books/{isbn}/reviews/{review}/flags/{flag}: params.flag = "" (inject)',
      ],
    },
  ),
  ...because(
    '`bodyLimit` holds for what a `preParsing` hook unpacks, as on Fastify 4.22 (docs/reference/security.md).',
    {
      plugins: [
        'POST /archive/letters with content-encoding: gzip of text/plain: 132 bytes',
        'POST /archive/letters with content-encoding: gzip of text/plain: 132 bytes (inject)',
        'POST /archive/letters/plain with content-encoding: gzip of text/plain: 132 bytes',
        'POST /archive/letters/zipped with content-encoding: gzip of text/plain: 132 bytes',
        'POST /archive/letters/strict with content-encoding: gzip of application/json: 54 bytes',
        'POST /archive/letters/strict of gzip in chunks',
      ],
    },
  ),
  ...because(
    "fast-json-stringify 5 sorts the list in a response schema's `type` in place when it compiles the schema. Here nothing changes schemas, so `@fastify/swagger` shows the list as it was written.",
    {
      plugins: ['a description of what may be null', 'a description of what may be null (inject)'],
    },
  ),
  ...because(
    "fast-json-stringify 5 sorts the list in a schema's `type` in place, `null` first. A property that a request shares with a response of an earlier route has its types sorted before its validator is compiled, and messages name them in that order. Here nothing changes schemas: they stand as they are written.",
    {
      railway: ['POST /api/v1/trains', 'PUT /api/v1/trains/{id}'].flatMap((route) =>
        valuesOf(`${route}: body.built`, ['"abc"', '1.5', '[2011]', '[]', '{}'], '[2011]'),
      ),
      harbour: [
        ...noText('PUT /ports/nlvel/vessels/{imo}/owner: body.vat', vat, `[${vat},${vat}]`),
        ...noText('POST /ports/nlvel/agents: body.vat', vat, '{}'),
        ...noText('POST /ports/nlvel/agents/: body.vat', vat, '[]'),
        ...noText('POST /ports/nlvel/chandlers: body.vat', vat, `[${vat},${vat}]`),
        ...noText('POST /ports/nlvel/chandlers/: body.vat', vat, '{}'),
        ...noText('POST /ports/nlvel/maintenance/orders: body.notes', '"Silt"', '["Silt","Silt"]'),
        ...noText('POST /ports/nlvel/customs/declarations: body.declarant.vat', vat, `[${vat}]`),
        ...noText(
          'POST /ports/nlvel/customs/declarations/{number}/release: body.officer.vat',
          vat,
          '[]',
        ),
      ],
    },
  ),
  ...because(
    'fast-json-stringify 5 writes members that no `patternProperties` allow although `additionalProperties` is false. Version 7 leaves them out.',
    {
      harbour: [
        'GET /ports/nlvel/tariffs/{kind}: valid',
        'GET /ports/nlvel/tariffs/{kind}: params.kind = "tug"',
        'GET /ports/nlvel/tariffs/{kind}: valid (inject)',
      ],
    },
  ),
]

/** Differences with one reason, by application. */
export function because(
  reason: string,
  requests: Readonly<Record<string, readonly string[]>>,
): KnownDifference[] {
  return Object.entries(requests).map(([app, titles]) => ({ app, reason, requests: titles }))
}

/** The requests that try other values at a place; one of them is injected as well. */
function valuesOf(place: string, values: readonly string[], injected: string): string[] {
  return [...values, `${injected} (inject)`].map((value) => `${place} = ${value}`)
}

/** Values that are neither a text nor `null`. */
function noText(place: string, text: string, injected: string): string[] {
  return valuesOf(place, ['{}', '[]', `[${text}]`, `[${text},${text}]`], injected)
}
