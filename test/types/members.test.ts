/** Instances, requests and replies have every member that their types declare. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework, { type FastifyInstance } from 'framework'
import framework5 from 'framework/5'
import { Project } from 'ts-morph'
import { root } from '../support/root.ts'

const project = new Project({
  tsConfigFilePath: `${root}tsconfig.json`,
  skipAddingFilesFromTsConfig: true,
})
const types = project.createSourceFile(
  `${root}test/types/members.ts`,
  `import type { FastifyInstance, FastifyReply, FastifyRequest, RequestRouteOptions } from 'framework'
type instance = FastifyInstance
// A failure adds \`validationError\`; \`req\` exists in Fastify's types alone.
type request = Omit<FastifyRequest, 'validationError' | 'req'>
type reply = FastifyReply
type route = RequestRouteOptions
`,
)

/** The members that a type declares and the object lacks. */
function missing(name: string, object: object): string[] {
  const type = types.getTypeAliasOrThrow(name).getType()
  const members = type.getProperties().map((property) => property.getName())
  assert.ok(members.length > 10, name)
  // Symbols have names that begin so.
  return members.filter((member) => !(member in object) && !member.startsWith('__@')).sort()
}

/** Returns the declared members that an application lacks. */
async function lacks(app: FastifyInstance): Promise<Record<string, string[]>> {
  let found: Record<string, string[]> | undefined
  app.get('/', { schema: { querystring: { type: 'object' } } }, async (request, reply) => {
    found = {
      instance: missing('instance', app),
      request: missing('request', request),
      reply: missing('reply', reply),
      route: missing('route', request.routeOptions),
    }
    return {}
  })
  assert.equal((await app.inject('/')).statusCode, 200)
  await app.close()
  assert.ok(found !== undefined)
  return found
}

test('an application has every member that its types declare, except for those of framework/5', async () => {
  const app = framework({ trustProxy: true, aot: { mode: 'development' } })
  assert.deepEqual(await lacks(app), {
    instance: ['findRoute'],
    request: [],
    reply: ['routeOptions'],
    route: ['handlerTimeout'],
  })
})

test('an application of framework/5 lacks only the members that Fastify 5 lacks', async () => {
  const app = framework5({ trustProxy: true, aot: { mode: 'development' } })
  const oracle = fastify5({ trustProxy: true })
  assert.deepEqual(
    await lacks(app as unknown as FastifyInstance),
    await lacks(oracle as unknown as FastifyInstance),
  )
})

test('Fastify lacks only members of its later releases', async () => {
  const app = fastify({ trustProxy: true }) as unknown as FastifyInstance
  assert.deepEqual(await lacks(app), {
    instance: [
      'addHttpMethod',
      'findRoute',
      'genReqId',
      'getDecorator',
      'query',
      'setGenReqId',
      'supportedMethods',
      'trace',
    ],
    request: ['getDecorator', 'host', 'mediaType', 'port', 'setDecorator', 'signal'],
    reply: ['elapsedTime', 'getDecorator', 'mediaType', 'routeOptions', 'writeEarlyHints'],
    route: ['config', 'handler', 'handlerTimeout', 'schema'],
  })
})
