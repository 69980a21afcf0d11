/**
 * Makes `dist/package`, which package.json exports, after the type checker has written `dist/`: the modules of the runtime
 * joined to a few files, because each one that Node loads costs half a millisecond of every cold start. As ES modules
 * and as CommonJS.
 */
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { functionAsModule, ownRequire, ownUrl } from './packaging/common-js.js'
import { joined } from './packaging/joined.js'
import { compact, eager } from './packaging/compact.js'
import { declarations } from './packaging/declarations.js'
import { licenses } from './packaging/licenses.js'
import { libraries, nodeGlobals, webPlatform } from './packaging/web.js'

const entries = ['index', 'plugin', 'fetch', 'lambda', 'development', 'fastify']

/** What an artifact imports, and the runtime too: one file for both. */
const internal =
  /\/runtime\/(artifact\/|generated\/|platform\/(?:web\/index|\w+)\.js|internal\.js|compiled\/open-artifact\.js|development-compiler\.js|find-compiler\.js|boot\/plugin-meta\.js|serve\/load-package\.js|errors\/(index|create-error|reason-phrases)\.js)/

/** What all platforms without sockets share: one file, too. */
const hosted = /\/runtime\/adapter\/hosted\//

/** Loaded on demand, and only where they are asked for. */
const lazy = ['light-my-request', 'pino', '@fastify/proxy-addr', 'semver']

/** What no application imports. The thread of a logger is an ES module for both, and a deployment is bundled from such. */
const unlisted = [
  'internal',
  'serve/log-thread',
  'deployed',
  'deployed/injected-response',
  'command',
  'fastify-imports',
]

/** What stands for Node's globals on the web: it knows nothing of the rest. */
const globals = /\/runtime\/platform\/web\/(?:globals|process)\.js$/

const chunks = Object.entries({ globals, internal, hosted })

const isPackage = (id) => !/^(\.|\/|[A-Za-z]:)/.test(id)

const common = {
  preserveEntrySignatures: 'allow-extension',
  // The type checker writes a helper that asks for `this`, where a path is imported.
  moduleContext: (id) => (/\/(?:log-thread|command)\.js$/.test(id) ? 'globalThis' : undefined),
  onwarn(warning) {
    throw new Error(warning.message)
  },
}

const runtime = ({ names, format, extension, plugins, folder = '' }) => ({
  ...common,
  input: Object.fromEntries(names.map((name) => [name, `dist/runtime/${name}.js`])),
  external: (id) =>
    id.startsWith('node:') ||
    id.startsWith('@framework/') ||
    lazy.includes(id) ||
    libraries.includes(id),
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), ...plugins, compact, eager],
  output: {
    dir: `dist/package${folder}`,
    format,
    exports: 'named',
    entryFileNames: ({ name }) => `${name.replace(/.*\//, '')}.${extension}`,
    chunkFileNames: `[name].${extension}`,
    manualChunks: (id) => chunks.find(([, pattern]) => pattern.test(id))?.[0],
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    sourcemap: true,
    // They are beside it, in `dist/runtime`; the published package has neither, for its size.
    sourcemapExcludeSources: true,
  },
})

export default [
  runtime({
    names: [...entries, ...unlisted],
    format: 'es',
    extension: 'js',
    plugins: [
      declarations('dist/runtime', [...entries.filter((name) => name !== 'fastify'), 'internal']),
      licenses,
    ],
  }),
  runtime({
    names: entries,
    format: 'cjs',
    extension: 'cjs',
    plugins: [ownRequire, ownUrl, functionAsModule],
  }),
  runtime({
    names: [
      'index',
      'plugin',
      'fetch',
      'internal',
      'deployed',
      'deployed/injected-response',
    ].concat(['crypto', 'globals', 'process', 'url'].map((name) => `platform/web/${name}`)),
    format: 'es',
    extension: 'js',
    folder: '/web',
    plugins: [webPlatform, nodeGlobals],
  }),
  {
    // An artifact for Fastify holds it: one file that needs no other.
    ...common,
    input: { bridge: 'dist/runtime/bridge/index.js' },
    external: (id) => id.startsWith('node:'),
    plugins: [compact],
    output: { dir: 'dist/compiler/5-bundle', format: 'es', generatedCode: 'es2015' },
  },
  {
    ...common,
    input: { 'in-process': 'dist/compiler/dev/in-process.js' },
    external: isPackage,
    plugins: [ownUrl],
    output: {
      dir: 'dist/compiler',
      format: 'cjs',
      // As Node imports CommonJS: what it exports is the default export.
      interop: 'default',
      entryFileNames: '[name].cjs',
      sourcemap: true,
    },
  },
  { ...common, ...joined },
]
