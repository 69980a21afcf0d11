/** Makes `compiler/dist`, the files of the package `@framework/compiler`. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { ownUrl } from './common-js.js'
import { declarationsBelow } from './declarations.js'
import { draft07 } from './draft-07.js'
import { programs } from './programs.js'
import { parserFor } from './typescript.js'

const OUT = 'compiler/dist'

/** Packages in CommonJS. An import makes Node search them for the names that they export, which takes longer than loading them. */
const REQUIRED = /^(?:#|(?:ajv|ajv-formats|esbuild)(?:\/|$))/
const PREFIX = '\0required:'

const required = {
  name: 'required',
  resolveId: (id) => (REQUIRED.test(id) ? PREFIX + id : null),
  load(id) {
    if (!id.startsWith(PREFIX)) return null
    const name = JSON.stringify(id.slice(PREFIX.length))
    const code = `import { createRequire } from 'node:module'
export const members = createRequire(import.meta.url)(${name})
export default members`
    return { code, syntheticNamedExports: 'members' }
  },
}

const DIGEST = resolve('dist/compiler/cache/compiler-digest.js')

/** Computes the digest of the compiler once: at run time it would have to read every file that is joined here. */
const knownDigest = {
  name: 'known-digest',
  async load(id) {
    if (id !== DIGEST) return null
    const { compilerDigest } = await import(pathToFileURL(DIGEST))
    return `export const compilerDigest = () => ${JSON.stringify(compilerDigest())}`
  },
}

/** Writes the scripts and styles of pages, each in one file that a page can hold. */
function buildPages() {
  buildSync({
    entryPoints: ['overview', 'analysis'].flatMap((name) =>
      ['ts', 'css'].map((kind) => `cli/page/browser/${name}.${kind}`),
    ),
    outdir: 'dist/cli/page/browser',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** Writes version 2 of fast-uri into the package: applications override it with version 3, which resolves other references. */
function writeFastUri() {
  const file = createRequire(import.meta.url).resolve('fast-uri')
  const license = readFileSync(join(dirname(file), 'LICENSE'), 'utf8')
  buildSync({
    entryPoints: [file],
    outfile: `${OUT}/fast-uri.cjs`,
    bundle: true,
    platform: 'node',
    target: 'node20',
    banner: { js: `/*\n${license}*/` },
  })
}

const generated = {
  name: 'generated',
  buildStart() {
    buildPages()
    mkdirSync(OUT, { recursive: true })
    copyFileSync('cli/vite/virtual.d.ts', `${OUT}/virtual.d.ts`)
    writeFileSync(`${OUT}/draft-07.cjs`, draft07())
    writeFileSync(`${OUT}/typescript.cjs`, parserFor('compiler'))
    writeFastUri()
  },
}

const isPackage = (id) => !/^(?:[./\0]|[A-Za-z]:)/.test(id)

/** The files that an artifact for Fastify holds as text, in one piece that needs no other. */
const bridge = {
  input: { bridge: 'dist/runtime/bridge/index.js' },
  external: (id) => id.startsWith('node:'),
  output: { dir: 'dist/compiler/5-artifact', format: 'es', generatedCode: 'es2015' },
}

/** Each of three hundred modules that Node loads costs half a millisecond of every command: so programs share a few files. */
const joined = {
  input: {
    cli: 'dist/cli/main.js',
    index: 'dist/compiler/index.js',
    vite: 'dist/cli/vite/index.js',
  },
  plugins: [
    generated,
    required,
    knownDigest,
    programs('dist'),
    declarationsBelow('dist', ['compiler/index', 'cli/main', 'cli/vite/index']),
  ],
  external: (id) => isPackage(id) && !REQUIRED.test(id),
  moduleContext: () => 'globalThis',
  output: {
    dir: OUT,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    // Programs load what they share in fewer files, each with some code that one of them doesn't need.
    experimentalMinChunkSize: 40_000,
    generatedCode: 'es2015',
    minifyInternalExports: false,
  },
}

/** The development compiler, which the runtime loads by `require`. */
const development = {
  input: { development: 'dist/compiler/dev/in-process.js' },
  external: isPackage,
  plugins: [ownUrl],
  output: {
    dir: OUT,
    format: 'cjs',
    // Import CommonJS as Node does: `module.exports` is the default export.
    interop: 'default',
    entryFileNames: '[name].cjs',
  },
}

export const compiler = [bridge, joined, development]
