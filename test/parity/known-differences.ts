/** The only differences from Fastify 4.21 that are allowed. An entry that no longer differs fails the test. */

export interface KnownDifference {
  readonly app: string
  /** Why it differs, and why that is right. */
  readonly reason: string
  /** The exact titles of the requests that it shows in. */
  readonly requests: readonly string[]
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    app: 'post-office',
    reason:
      'fast-json-stringify 5, which Fastify 4.21 uses, writes the text of a string with a date format as it is: a quote or a backslash in it makes the answer invalid JSON. Version 7 escapes it.',
    requests: [
      'GET /replies/stamped?at=5%22%20past',
      'GET /replies/stamped?at=a%5Cb',
      'GET /replies/stamped?at=a%5Cb (inject)',
    ],
  },
  {
    app: 'plugins',
    reason:
      "fast-json-stringify 5 sorts the list in a response schema's `type` in place when it compiles the schema. Here nothing changes schemas, so `@fastify/swagger` shows the list as it was written.",
    requests: ['a description of what may be null', 'a description of what may be null (inject)'],
  },
  {
    app: 'railway',
    reason:
      'The same sorting: a property that a body shares with a response of an earlier route has its types sorted before its validator is compiled, and the message names them in that order. Here they stand as they are written.',
    requests: ['POST /api/v1/trains', 'PUT /api/v1/trains/{id}'].flatMap((route) =>
      ['"abc"', '1.5', '[2011]', '[]', '{}', '[2011] (inject)'].map(
        (value) => `${route}: body.built = ${value}`,
      ),
    ),
  },
]
