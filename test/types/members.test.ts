import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import framework, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RequestRouteOptions,
} from 'framework'

/** Every member that the types declare; the compiler refuses a list that is not complete. */
type Members<T> = Record<keyof T, true>

const instanceMembers: Members<FastifyInstance> = {
  addConstraintStrategy: true,
  addContentTypeParser: true,
  addHook: true,
  addHttpMethod: true,
  addSchema: true,
  addresses: true,
  after: true,
  all: true,
  childLoggerFactory: true,
  close: true,
  decorate: true,
  decorateReply: true,
  decorateRequest: true,
  defaultTextParser: true,
  delete: true,
  errorHandler: true,
  genReqId: true,
  get: true,
  getDecorator: true,
  getDefaultJsonParser: true,
  getDefaultRoute: true,
  getSchema: true,
  getSchemas: true,
  hasConstraintStrategy: true,
  hasContentTypeParser: true,
  hasDecorator: true,
  hasPlugin: true,
  hasReplyDecorator: true,
  hasRequestDecorator: true,
  hasRoute: true,
  head: true,
  initialConfig: true,
  inject: true,
  listen: true,
  listeningOrigin: true,
  log: true,
  options: true,
  patch: true,
  pluginName: true,
  post: true,
  prefix: true,
  printPlugins: true,
  printRoutes: true,
  put: true,
  query: true,
  ready: true,
  register: true,
  removeAllContentTypeParsers: true,
  removeContentTypeParser: true,
  route: true,
  routing: true,
  serializerCompiler: true,
  server: true,
  setChildLoggerFactory: true,
  setDefaultRoute: true,
  setErrorHandler: true,
  setGenReqId: true,
  setNotFoundHandler: true,
  setReplySerializer: true,
  setSchemaController: true,
  setSchemaErrorFormatter: true,
  setSerializerCompiler: true,
  setValidatorCompiler: true,
  supportedMethods: true,
  trace: true,
  validatorCompiler: true,
  version: true,
  withTypeProvider: true,
}
// `validationError` comes with a failure; `req` exists in Fastify's types alone.
const requestMembers: Members<Omit<FastifyRequest, 'validationError' | 'req'>> = {
  body: true,
  compileValidationSchema: true,
  connection: true,
  context: true,
  getDecorator: true,
  getValidationFunction: true,
  headers: true,
  host: true,
  hostname: true,
  id: true,
  ip: true,
  ips: true,
  is404: true,
  log: true,
  mediaType: true,
  method: true,
  originalUrl: true,
  params: true,
  port: true,
  protocol: true,
  query: true,
  raw: true,
  routeConfig: true,
  routeOptions: true,
  routeSchema: true,
  routerMethod: true,
  routerPath: true,
  server: true,
  setDecorator: true,
  signal: true,
  socket: true,
  url: true,
  validateInput: true,
}
const replyMembers: Members<FastifyReply> = {
  callNotFound: true,
  code: true,
  compileSerializationSchema: true,
  context: true,
  elapsedTime: true,
  getDecorator: true,
  getHeader: true,
  getHeaders: true,
  getResponseTime: true,
  getSerializationFunction: true,
  hasHeader: true,
  hasTrailer: true,
  header: true,
  headers: true,
  hijack: true,
  log: true,
  mediaType: true,
  raw: true,
  redirect: true,
  removeHeader: true,
  removeTrailer: true,
  request: true,
  send: true,
  sent: true,
  serialize: true,
  serializeInput: true,
  serializer: true,
  server: true,
  status: true,
  statusCode: true,
  // oxlint-disable-next-line unicorn/no-thenable -- it is one
  then: true,
  trailer: true,
  type: true,
  writeEarlyHints: true,
}
const routeMembers: Members<RequestRouteOptions> = {
  attachValidation: true,
  bodyLimit: true,
  config: true,
  exposeHeadRoute: true,
  handler: true,
  logLevel: true,
  method: true,
  prefixTrailingSlash: true,
  schema: true,
  url: true,
  version: true,
}

/** The declared members that the object does not have. */
function missing(declared: object, object: object): string[] {
  return Object.keys(declared).filter((name) => !(name in object))
}

/** What an application lacks of what is declared. */
async function lacks(app: FastifyInstance): Promise<Record<string, string[]>> {
  let found: Record<string, string[]> | undefined
  app.get('/', { schema: { querystring: { type: 'object' } } }, async (request, reply) => {
    found = {
      instance: missing(instanceMembers, app),
      request: missing(requestMembers, request),
      reply: missing(replyMembers, reply),
      route: missing(routeMembers, request.routeOptions),
    }
    return {}
  })
  assert.equal((await app.inject('/')).statusCode, 200)
  await app.close()
  assert.ok(found !== undefined)
  return found
}

test('an application has every member that its types declare', async () => {
  const app = framework({ trustProxy: true, aot: { mode: 'development' } })
  assert.deepEqual(await lacks(app), { instance: [], request: [], reply: [], route: [] })
})

test('Fastify lacks only what its later releases have', async () => {
  const app = fastify({ trustProxy: true }) as unknown as FastifyInstance
  assert.deepEqual(await lacks(app), {
    instance: [
      'addHttpMethod',
      'genReqId',
      'getDecorator',
      'query',
      'setGenReqId',
      'supportedMethods',
      'trace',
    ],
    request: ['getDecorator', 'host', 'mediaType', 'port', 'setDecorator', 'signal'],
    reply: ['elapsedTime', 'getDecorator', 'mediaType', 'writeEarlyHints'],
    route: ['config', 'handler', 'schema'],
  })
})
