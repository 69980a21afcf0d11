/** Small applications that many issues need. */

/** Answers `/` with a value, or what `value` makes of the request, by a response schema. */
export const responds = (schema, value) => (app) => {
  const answer = typeof value === 'function' ? value : async () => value
  app.get('/', { schema: { response: { 200: schema } } }, answer)
}

/** Answers `/` with what is read of the request. */
export const reads = (read) => (app) => {
  app.get('/', async (request) => read(request))
}

/** Validates bodies and sends them back. */
export const validates =
  (body, shared = []) =>
  (app) => {
    for (const schema of shared) app.addSchema(schema)
    app.post('/', { schema: { body } }, async (request) => request.body)
  }

/** Parses texts of a content type and sends them back. */
export const parses = (type) => (app) => {
  if (type) app.addContentTypeParser(type, { parseAs: 'string' }, async (request, body) => body)
  app.post('/', async ({ body }) => ({ body }))
}

/** A request with a body. */
export const post = (type, payload) => ({
  method: 'POST',
  url: '/',
  headers: { 'content-type': type },
  payload,
})

export const query = async (request) => request.query

/** A plugin that shares the context of its parent. */
export const shared = (meta) =>
  Object.assign(async () => {}, {
    [Symbol.for('plugin-meta')]: meta,
    [Symbol.for('skip-override')]: true,
  })

export const object = (properties, more) => ({ type: 'object', properties, ...more })
export const text = { type: 'string' }
export const date = { type: 'string', format: 'date-time' }

export const refused = (message) =>
  `400 | {"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"${message}"}`
