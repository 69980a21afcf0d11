/**
 * A lower bound for the framework: its router and its compiled functions, the handler, and one `Response`. There are no hooks, request
 * ids, limits, content types or error handlers.
 */
import app from './application.mjs'

await app.ready()
const [kContext] = Object.getOwnPropertySymbols(app).filter(
  ({ description }) => description === 'framework.context',
)
const { router } = app[kContext].app
const headers = { 'content-type': 'application/json; charset=utf-8' }

export default {
  async fetch(incoming) {
    const { method, url } = incoming
    const path = url.slice(url.indexOf('/', 8))
    const found = router.find(method, path)
    if (found === null) {
      const message = `Route ${method}:${path} not found`
      return answer(JSON.stringify({ message, error: 'Not Found', statusCode: 404 }), 404)
    }
    const { context: route } = found.store
    if (route === null || route.loader !== null) found.store.getContext().loader?.load()
    const request = { params: found.params, query: found.searchParams, body: undefined }
    if (method === 'POST') request.body = parse(await incoming.text())
    const failure = validate(found.store.context, request)
    if (failure !== undefined) return answer(failure, 400)
    let payload
    const reply = { send: (value) => void (payload = value) }
    const returned = found.store.context.handler(request, reply)
    if (returned !== undefined) payload = await returned
    return answer(found.store.context.serializers[200](payload), 200)
  },
}

function parse(text) {
  if (/__proto__|constructor|\\/.test(text)) throw new SyntaxError('Poisoned')
  return JSON.parse(text)
}

function validate({ validators }, request) {
  if (validators === null) return undefined
  for (const { property, validate } of validators) {
    const value = request[property]
    const place = {
      instancePath: '',
      parentData: request,
      parentDataProperty: property,
      rootData: value,
      dynamicAnchors: {},
    }
    if (validate(value, place)) continue
    const [{ instancePath, message }] = validate.errors
    return JSON.stringify({
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: `${property}${instancePath} ${message}`,
    })
  }
  return undefined
}

function answer(text, status) {
  return new Response(text, { status, headers })
}
