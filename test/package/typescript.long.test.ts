/**
 * Applications type-check from the published package, with every TypeScript since 5.0 and each way to find modules.
 */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { createPackedFolder, pack, type PackedFolder } from '../support/packed.ts'

/** In a separate folder: beside the TypeScript that builds this package, each would replace its `tsc`. */
const versions = {
  '5.0': '5.0.4',
  '5.2': '5.2.2',
  '5.5': '5.5.4',
  '5.9': '5.9.3',
  '6.0': '6.0.3',
  '7.0': '7.0.2',
}
const compilers = join(cacheDir, 'typescript')
const dependencies = Object.fromEntries(
  Object.entries(versions).map(([name, version]) => [
    `typescript-${name}`,
    `npm:typescript@${version}`,
  ]),
)
installOnce(compilers, { dependencies }, () => undefined)

const tarballs = pack({ after })

/** As ES modules import it. */
const modules = `import framework, { errorCodes, framework as named, type FastifyInstance, type FastifyReply } from 'framework'
import plugin, { fastifyPlugin, type PluginMetadata } from 'framework/plugin'
import { toFetch, type FetchHandler } from 'framework/fetch'
import { toLambda, type LambdaHandler } from 'framework/lambda'
import 'framework/development'

declare module 'framework' {
  interface FastifyInstance {
    NAME: { find(id: number): string }
  }
}

const metadata: PluginMetadata = { name: 'NAME' }
export const NAME = plugin(async (app: FastifyInstance, options: { greeting: string }) => {
  app.decorate('NAME', { find: (id) => options.greeting + id.toFixed() })
}, metadata)
const app: framework.FastifyInstance = framework({ logger: true })
app.register(NAME, { greeting: 'hello' })
app.register(fastifyPlugin(async (instance: FastifyInstance) => instance.ready()))
app.get<{ Params: { id: number } }>('/:id', async (request, reply: FastifyReply) => {
  if (request.params.id < 1) throw new errorCodes.FST_ERR_NOT_FOUND()
  const text: string = app.NAME.find(request.params.id)
  return reply.code(200).send(text)
})
export const handle: FetchHandler = toFetch(named())
export const handler: LambdaHandler = toLambda(named(), { basePath: '/v1' })
// @ts-expect-error there is no such method
app.nothing()
// @ts-expect-error the option is missing
app.register(NAME, {})
`

/** As CommonJS in TypeScript imports it. */
const required = `import framework = require('framework')
import plugin = require('framework/plugin')
import fetch = require('framework/fetch')

declare module 'framework' {
  interface FastifyReply {
    NAME(): FastifyReply
  }
}

const metadata: plugin.PluginMetadata = { name: 'NAME' }
const NAME = plugin(async (app: framework.FastifyInstance) => {
  app.decorateReply('NAME', function () {
    return this.code(304).send()
  })
}, metadata)
const app: framework.FastifyInstance = framework({ logger: true })
app.register(NAME)
app.get('/', (request: framework.FastifyRequest, reply) => reply.NAME())
new framework.errorCodes.FST_ERR_NOT_FOUND()
export const handle: fetch.FetchHandler = fetch.toFetch(framework.fastify())
// @ts-expect-error there is no such method
app.nothing()
`

/** Plugins for Fastify, whose declarations apply here. */
const plugins = `import bearerAuth from '@fastify/bearer-auth'
import wrap from 'fastify-plugin'
import framework, { type FastifyPluginAsync } from 'framework'

declare module 'fastify' {
  interface FastifyRequest {
    fromPlugin: number
  }
}
const routes: FastifyPluginAsync<{ root: string }> = async (app, options) => {
  app.get(options.root, async (request) => request.fromPlugin.toFixed())
}
const app = framework()
app.register(wrap(routes, { name: 'routes' }), { root: '/' })
app.register(bearerAuth, { keys: ['secret'], addHook: false })
app.after(() => {
  const verify = app.verifyBearerAuth
  if (verify !== undefined) app.get('/guarded', { preHandler: verify }, () => 'yes')
})
// @ts-expect-error the keys are missing
app.register(bearerAuth, {})
// @ts-expect-error nothing declares it
app.verifyBasicAuth
`

/** An application for Fastify, where `fastify` is this package by its name in node_modules. */
const renamed = `import fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import plugin from 'framework/plugin'

declare module 'fastify' {
  interface FastifyRequest {
    fromPlugin: number
  }
}
const books: FastifyPluginAsync<{ page: number }> = async (app, options) => {
  app.get('/', async (request) => request.fromPlugin + options.page)
}
const app: FastifyInstance = fastify()
app.register(plugin(books), { page: 1 })
// @ts-expect-error there is no such method
app.nothing()
`

const named = (text: string, name: string): string => text.replaceAll('NAME', name)

const resolutions = [
  {
    title: 'node10',
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    files: { 'a.ts': named(modules, 'first'), 'b.ts': named(required, 'second'), 'c.ts': plugins },
    has: (version: number) => version < 6,
  },
  {
    title: 'node10, deprecated',
    options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
    files: { 'a.ts': named(modules, 'first'), 'b.ts': named(required, 'second'), 'c.ts': plugins },
    has: (version: number) => version >= 6 && version < 7,
  },
  {
    title: 'node10, without esModuleInterop',
    options: { module: 'commonjs', moduleResolution: 'node10' },
    files: { 'a.ts': named(modules, 'first'), 'b.ts': named(required, 'second'), 'c.ts': plugins },
    has: (version: number) => version < 6,
  },
  ...[
    { module: 'node16', last: 5.5 },
    { module: 'nodenext', last: Infinity },
  ].map(({ module, last }) => ({
    title: module,
    options: { module, moduleResolution: module, exactOptionalPropertyTypes: true },
    files: {
      'a.mts': named(modules, 'first'),
      'b.cts': named(required, 'second'),
      'c.cts': named(modules, 'third'),
      'd.mts': plugins,
      'e.cts': plugins,
    },
    has: (version: number) => version <= last,
  })),
  {
    title: 'bundler',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    files: { 'a.ts': named(modules, 'first'), 'b.ts': plugins },
    has: () => true,
  },
]

/** Releases that check the package under the name of Fastify as well. */
const forRenamed = ['5.0', '6.0', '7.0']

/** Runs a compiler on files; returns its output, which is empty if there are no errors. */
function check(
  app: PackedFolder,
  version: string,
  options: object,
  files: Readonly<Record<string, string>>,
): string {
  for (const [file, text] of Object.entries(files)) app.write(file, text)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022'],
    strict: true,
    noEmit: true,
    types: ['node', 'framework/fastify'],
    ...options,
  }
  app.write('tsconfig.json', JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const { stdout, stderr } = app.node([
    join(compilers, `node_modules/typescript-${version}/bin/tsc`),
  ])
  return stdout + stderr
}

/** Ignores errors in other packages, which may need a later TypeScript. */
function assertSaysNothing(lines: string): void {
  const own = lines
    .split('\n')
    .filter((line) => !/^(?! |node_modules\/framework\/).*node_modules\//.test(line))
  assert.deepEqual(own.filter(Boolean), [])
}

for (const { title, options, files, has } of resolutions) {
  for (const version of Object.keys(versions).filter((version) => has(Number(version)))) {
    test(`TypeScript ${version}, ${title}`, (t) => {
      const app = createPackedFolder(t, tarballs, [
        '@fastify/bearer-auth',
        '@types/node',
        'fastify-plugin',
      ])
      assertSaysNothing(check(app, version, options, files))
      if (!forRenamed.includes(version)) return
      cpSync(app.installed('framework'), app.installed('fastify'), { recursive: true })
      const extension = 'a.mts' in files ? 'mts' : 'ts'
      const without = { ...options, types: ['node'] }
      assertSaysNothing(check(app, version, without, { [`renamed.${extension}`]: renamed }))
    })
  }
}
