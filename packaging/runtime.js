/**
 * Makes `runtime/dist`, the files of the package `framework`: its modules joined to a few files, because each one that Node loads
 * costs half a millisecond of every cold start.
 */
import { chmodSync, rmSync, symlinkSync } from 'node:fs'
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { functionAsModule, ownRequire, ownUrl } from './common-js.js'
import { compact, minified } from './compact.js'
import { packageDeclarations } from './declarations.js'
import { licenses } from './licenses.js'
import { libraries, nodeGlobals, withPlatform } from './web.js'

/** Entries for applications. */
const entriesOfWorkers = ['index', '5', 'plugin', 'fetch', 'lambda', 'logger']
const entries = [...entriesOfWorkers, 'development', 'fastify']

/**
 * Entries that no application imports. The thread of a logger is an ES module for both, and a deployment is bundled from ES
 * modules.
 */
const unlisted = [
  'internal',
  'serve/log-thread',
  'deployed',
  'deployed/injected-response',
  'command',
  'fastify-imports',
  'fastify-of-artifact',
]

/** Modules that artifacts import and the runtime too: one file for both. */
const internal =
  /\/runtime\/(artifact\/|generated\/|platform\/(?:web\/index|\w+)\.js|internal\.js|compiled\/open-artifact\.js|development-compiler\.js|find-compiler\.js|boot\/plugin-meta\.js|serve\/(?:exchange|load-package)\.js|errors\/(index|create-error|reason-phrases|stack-limit|warnings)\.js)/

/** Modules that all platforms without sockets share. */
const hosted = /\/runtime\/adapter\/hosted\//

/** Replacements of Node's globals on the web. They import nothing else of the runtime. */
const globals = /\/runtime\/platform\/web\/(?:globals|process)\.js$/

const chunks = Object.entries({ globals, internal, hosted })

/** npm makes the command executable and links it when it installs the package, but not in this repository, where it installs before the build. */
const executable = {
  name: 'executable',
  writeBundle() {
    chmodSync('runtime/dist/command.js', 0o755)
    const link = 'node_modules/.bin/framework'
    rmSync(link, { force: true })
    symlinkSync('../framework/dist/command.js', link)
  },
}

/** Packages that are loaded when they are first needed. */
const lazy = [
  'light-my-request',
  'light-my-request-6',
  'pino',
  'pino/browser.js',
  '@fastify/proxy-addr',
  'semver',
]

const build = ({ names, format, extension, plugins, folder = '' }) => ({
  preserveEntrySignatures: 'allow-extension',
  // The type checker writes a helper that uses `this`, where a path is imported.
  moduleContext: (id) => (/\/(?:log-thread|command)\.js$/.test(id) ? 'globalThis' : undefined),
  input: Object.fromEntries(names.map((name) => [name, `dist/runtime/${name}.js`])),
  external: (id) =>
    id.startsWith('node:') ||
    id.startsWith('@framework/') ||
    lazy.includes(id) ||
    libraries.includes(id),
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), ...plugins],
  output: {
    dir: `runtime/dist${folder}`,
    format,
    exports: 'named',
    entryFileNames: ({ name }) => `${name.replace(/.*\//, '')}.${extension}`,
    // The code that the lines of Fastify share.
    chunkFileNames: ({ moduleIds }) =>
      `${moduleIds.some((id) => id.endsWith('/instance/index.js')) ? 'core' : '[name]'}.${extension}`,
    manualChunks: (id) => chunks.find(([, pattern]) => pattern.test(id))?.[0],
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    generatedCode: 'es2015',
    // Bundlers leave out plain objects that nothing uses: a frozen one stays, since `compact` removes the comments that say it's pure.
    ...(format === 'es' && { freeze: false, generatedCode: { preset: 'es2015', symbols: false } }),
  },
})

const typed = [...entries.filter((name) => name !== 'fastify'), 'internal']

export const runtime = [
  build({
    names: [...entries, ...unlisted],
    format: 'es',
    extension: 'js',
    plugins: [packageDeclarations('dist/runtime', typed), licenses, executable, compact],
  }),
  build({
    names: entries,
    format: 'cjs',
    extension: 'cjs',
    plugins: [ownRequire, ownUrl, functionAsModule, compact],
  }),
  build({
    names: [
      'index',
      '5',
      'plugin',
      'fetch',
      'logger',
      'internal',
      'deployed',
      'deployed/injected-response',
    ].concat(['crypto', 'globals', 'process', 'url'].map((name) => `platform/web/${name}`)),
    format: 'es',
    extension: 'js',
    folder: '/web',
    plugins: [withPlatform('web/index.js'), nodeGlobals, minified],
  }),
  build({
    names: [...entriesOfWorkers, 'internal', 'deployed', 'deployed/injected-response'],
    format: 'es',
    extension: 'js',
    folder: '/workerd',
    plugins: [withPlatform('workerd.js'), minified],
  }),
]
