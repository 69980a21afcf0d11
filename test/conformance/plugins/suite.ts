import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testedPlugins } from '../../../compiler/packages/tested-plugins.ts'
import { installOnce } from '../install.ts'
import type { SuiteLine } from '../suite.ts'

/** A line of Fastify with plugins for it, and what their tests need. */
interface Release {
  readonly plugins: Readonly<Record<string, string>>
  readonly tools: Readonly<Record<string, string>>
}

const toolsFor4 = {
  '@apidevtools/swagger-parser': '10.1.1',
  '@fastify/secure-session': '7.5.1',
  '@fastify/session': '10.9.0',
  '@fastify/type-provider-typebox': '4.1.0',
  '@fastify/url-data': '5.4.0',
  '@sinclair/typebox': '0.32.37',
  '@sinonjs/fake-timers': '11.3.1',
  'adm-zip': '0.5.18',
  ajv: '8.20.0',
  climem: '2.0.0',
  'concat-stream': '2.0.0',
  cors: '2.8.6',
  'fluent-json-schema': '5.0.0',
  'form-auto-content': '3.2.1',
  'form-data': '4.0.6',
  'fs-extra': '11.4.1',
  h2url: '0.2.0',
  handlebars: '4.7.10',
  helmet: '7.2.0',
  ioredis: '5.11.1',
  joi: '17.13.9',
  'joi-to-json': '4.3.2',
  jsonstream: '1.0.3',
  'noop-stream': '0.1.0',
  pino: '8.21.0',
  proxyquire: '2.1.3',
  pump: '3.0.4',
  qs: '6.17.1',
  'readable-stream': '4.8.0',
  'serve-static': '1.16.3',
  'simple-get': '4.0.1',
  sinon: '17.0.2',
  split2: '4.2.0',
  tap: '16.3.9',
}

const toolsFor5 = {
  '@apidevtools/swagger-parser': '^13.0.0',
  '@fastify/secure-session': '^8.0.0',
  '@fastify/type-provider-typebox': '6.3.0',
  '@fastify/url-data': '^6.0.0',
  '@sinonjs/fake-timers': '^15.0.0',
  'adm-zip': '^0.6.0',
  'concat-stream': '^2.0.0',
  dot: '^1.1.3',
  'edge.js': '^6.2.1',
  ejs: '^3.1.10',
  eta: '^4.4.1',
  'fastify-type-provider-zod': '7.0.0',
  'fluent-json-schema': '^6.0.0',
  'form-auto-content': '^3.2.1',
  'form-data': '^4.0.0',
  h2url: '^0.2.0',
  handlebars: '^4.7.8',
  'html-minifier-terser': '^7.2.0',
  ioredis: '^5.4.1',
  joi: '^17.13.1',
  'joi-to-json': '^5.0.0',
  jsonstream: '^1.0.3',
  'openapi-types': '12.1.3',
  liquidjs: '^10.11.0',
  mustache: '^4.2.0',
  nock: '^14.0.0',
  'noop-stream': '^0.1.0',
  nunjucks: '^3.2.4',
  proxy: '^4.0.0',
  proxyquire: '^2.1.3',
  pug: '^3.0.2',
  pump: '^3.0.0',
  qs: '^6.12.0',
  sinon: '^22.0.0',
  squirrelly: '^9.1.0',
  twig: '^3.0.0',
  typebox: '1.4.3',
  zod: '4.6.7',
}

const releases: Readonly<Record<SuiteLine, Release>> = {
  4: { plugins: testedPlugins[4], tools: toolsFor4 },
  5: { plugins: testedPlugins[5], tools: toolsFor5 },
}

/** The names of plugins without their scope, and where npm installs them with the tools of their tests; about 190 MB. */
export interface PluginSuite {
  readonly folder: string
  /** Test files as `<plugin>/<path in its folder of tests>`. */
  readonly files: readonly string[]
}

/** Installs the plugins in the versions that this package is developed with, once per machine. Takes about 30 s. */
export function installPlugins(line: SuiteLine): PluginSuite {
  const cache = resolve(process.env['PLUGIN_CACHE'] ?? join(tmpdir(), 'plugin-cache'))
  const folder = line === '4' ? cache : `${cache}-${line}`
  const suite = join(folder, 'suite')
  const { plugins, tools } = releases[line]
  const names = Object.keys(plugins).map((name) => name.replace('@fastify/', ''))
  const root = fileURLToPath(new URL('../../../../package.json', import.meta.url))
  const { devDependencies } = JSON.parse(readFileSync(root, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const fastify =
    line === '4'
      ? { fastify: devDependencies.fastify, 'fastify-plugin': devDependencies['fastify-plugin'] }
      : { fastify: devDependencies['fastify-5']?.replace('npm:fastify@', '') }
  const prepare = (): void => {
    rmSync(suite, { recursive: true, force: true })
    // Outside of node_modules, where tap looks for tests.
    for (const name of names) {
      cpSync(join(folder, 'node_modules/@fastify', name), join(suite, name), { recursive: true })
    }
  }
  const dependencies = { ...fastify, ...plugins, ...tools } as Record<string, string>
  installOnce(folder, { dependencies }, prepare, ['--legacy-peer-deps'])
  const runner = line === '4' ? "require('tap')" : "require('node:test')"
  const files = names.flatMap((plugin) => {
    const tests = join(suite, plugin, 'test')
    // @fastify/session has none in its package.
    if (!existsSync(tests)) return []
    return readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js') && !isLeftOut(plugin, file))
      .filter((file) => readFileSync(join(tests, file), 'utf8').includes(runner))
      .sort()
      .map((file) => `${plugin}/${file}`)
  })
  return { folder, files }
}

/** Leaves out the tests of @fastify/autoload that need compilers of TypeScript. */
function isLeftOut(plugin: string, file: string): boolean {
  return plugin === 'autoload' && !/^(commonjs|issues)\//.test(file)
}
