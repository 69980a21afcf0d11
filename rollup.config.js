/**
 * Joins the compiled runtime to a few files: each module that Node loads costs half a millisecond of every cold
 * start. Run by `npm run build`, after the type checker has written `dist/`.
 */
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { readFileSync } from 'node:fs'
import MagicString from 'magic-string'
import { minify } from 'terser'

const entries = ['index', 'plugin', 'fetch', 'internal', 'development', 'serve/log-thread']

/** Loaded on demand, and only where they are asked for. */
const lazy = ['light-my-request', 'pino', '@fastify/proxy-addr', 'semver']

/**
 * Node parses the whole text at every start: half of it is comments, blanks and long names. The names of
 * functions and classes and short lines stay, for what Node prints of an uncaught error.
 */
const compact = {
  name: 'compact',
  renderChunk: async (code) => {
    const { code: text, map } = await minify(code, {
      module: true,
      ecma: 2020,
      keep_fnames: true,
      keep_classnames: true,
      // Or a function that is called in one place becomes an expression there: a new object with each call.
      compress: { reduce_vars: false },
      // Node reads text in ASCII with half the memory.
      format: { max_line_len: 120, ascii_only: true },
      sourceMap: true,
    })
    return { code: text, map }
  },
}

/** Names of the functions that every start calls: `npm run bench:start-functions` writes them down. */
const startFunctions = new Set(JSON.parse(readFileSync('start-functions.json', 'utf8')))

/**
 * V8 compiles a function in parentheses together with the file, and others with their first call, after it has read
 * them once for nothing. So those that every start calls become such expressions. They stand before everything else,
 * as declarations are there before everything else.
 */
const eager = {
  name: 'eager',
  renderChunk(code) {
    const text = new MagicString(code)
    for (const { type, id, start, end } of this.parse(code).body) {
      if (type !== 'FunctionDeclaration' || !startFunctions.has(id.name)) continue
      text.remove(id.start, id.end).move(start, end, 0)
      text.prependRight(start, `var ${id.name}=(`).appendLeft(end, ');\n')
    }
    return { code: text.toString(), map: text.generateMap({ hires: true }) }
  },
}

export default {
  preserveEntrySignatures: 'allow-extension',
  input: Object.fromEntries(entries.map((name) => [name, `dist/runtime/${name}.js`])),
  external: (id) => id.startsWith('node:') || lazy.includes(id),
  // The type checker writes a helper that asks for `this`, where a path is imported.
  moduleContext: (id) => (id.endsWith('/log-thread.js') ? 'globalThis' : undefined),
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), compact, eager],
  output: {
    dir: 'dist/package',
    format: 'es',
    entryFileNames: ({ name }) => `${name.replace(/.*\//, '')}.js`,
    chunkFileNames: '[name].js',
    // What the artifact imports, and the runtime too: one file for both.
    manualChunks: (id) =>
      /\/runtime\/(artifact\/|generated\/|internal\.js|compiled\/open-artifact\.js|development-compiler\.js|boot\/plugin-meta\.js|errors\/(index|create-error|reason-phrases)\.js)/.test(
        id,
      )
        ? 'internal'
        : undefined,
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    sourcemap: true,
  },
  onwarn(warning) {
    throw new Error(warning.message)
  },
}
