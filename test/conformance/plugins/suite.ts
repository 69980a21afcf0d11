import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testedPlugins } from '../../../compiler/packages/tested-plugins.ts'
import { installOnce } from '../install.ts'

/** Where npm installs the plugins and the tools of their tests; about 190 MB. `PLUGIN_CACHE` names another place. */
export const pluginsDir: string = resolve(
  process.env['PLUGIN_CACHE'] ?? join(tmpdir(), 'plugin-cache'),
)

/** Without their scope. */
export const plugins: readonly string[] = Object.keys(testedPlugins).map((name) =>
  name.replace('@fastify/', ''),
)

const tools = {
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

const suite = join(pluginsDir, 'suite')

/** Installs the plugins in the versions that this package is developed with, once per machine. Takes about 30 s. */
export function installPlugins(): void {
  const root = fileURLToPath(new URL('../../../../package.json', import.meta.url))
  const { devDependencies } = JSON.parse(readFileSync(root, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const names = ['fastify', 'fastify-plugin'].map((name) => [name, devDependencies[name] as string])
  const own = { ...Object.fromEntries(names), ...testedPlugins }
  const prepare = (): void => {
    rmSync(suite, { recursive: true, force: true })
    // Outside of node_modules, where tap looks for tests.
    for (const plugin of plugins) {
      const from = join(pluginsDir, 'node_modules/@fastify', plugin)
      cpSync(from, join(suite, plugin), { recursive: true })
    }
  }
  installOnce(pluginsDir, { dependencies: { ...own, ...tools } }, prepare, ['--legacy-peer-deps'])
}

/** Test files as `<plugin>/<path in its folder of tests>`. */
export function listTestFiles(): string[] {
  return plugins.flatMap((plugin) => {
    const folder = join(suite, plugin, 'test')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js') && !isLeftOut(plugin, file))
      .filter((file) => readFileSync(join(folder, file), 'utf8').includes("require('tap')"))
      .sort()
      .map((file) => `${plugin}/${file}`)
  })
}

/** Leaves out the tests of @fastify/autoload that need compilers of TypeScript. */
function isLeftOut(plugin: string, file: string): boolean {
  return plugin === 'autoload' && !/^(commonjs|issues)\//.test(file)
}
