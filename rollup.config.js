/**
 * Joins the compiled runtime to a few files: each module that Node loads costs half a millisecond of every cold
 * start. Run by `npm run build`, after the type checker has written `dist/`.
 */
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { transform } from 'esbuild'

const entries = ['index', 'plugin', 'internal', 'development']

/** Loaded on demand, and only where they are asked for. */
const lazy = ['light-my-request', 'pino', 'proxy-addr', 'semver']

/**
 * Comments and blanks are a third of the text, and parsed at every start. Names and short lines stay, for what
 * Node prints of an uncaught error.
 */
const compact = {
  name: 'compact',
  renderChunk: (code) =>
    transform(code, {
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 120,
      sourcemap: true,
      target: 'es2022',
    }),
}

export default {
  preserveEntrySignatures: 'allow-extension',
  input: Object.fromEntries(entries.map((name) => [name, `dist/runtime/${name}.js`])),
  external: (id) => id.startsWith('node:') || lazy.includes(id),
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), compact],
  output: {
    dir: 'dist/package',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // What the artifact imports, and the runtime too: one file for both.
    manualChunks: (id) =>
      /\/runtime\/(artifact\/|generated\/|internal\.js|development-compiler\.js)/.test(id)
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
