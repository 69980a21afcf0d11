/**
 * Makes a package of `dist/`: `@framework/compiler`, which is installed where applications are built and not where they run.
 * Run after the type checker. What package.json says of versions holds for it as well.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { buildSync } from 'esbuild'
import { draft07 } from './draft-07.js'
import { parserFor } from './typescript.js'

const { version, license, engines, devDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/** What it imports, and no test alone. */
const dependencies = [
  '@dagrejs/dagre',
  '@fastify/swagger',
  '@jridgewell/trace-mapping',
  '@noble/hashes',
  '@rollup/plugin-commonjs',
  '@rollup/plugin-inject',
  '@rollup/plugin-json',
  '@rollup/plugin-node-resolve',
  'ajv',
  'ajv-formats',
  'assert',
  'buffer',
  'chokidar',
  'crc-32',
  'd3-hierarchy',
  'diff',
  'esbuild',
  'events',
  'fast-json-stringify',
  'fast-uri',
  'jsonc-parser',
  'magic-string',
  'node-inspect-extracted',
  'oxc-minify',
  'package-manager-detector',
  'path-browserify',
  'process',
  'readable-stream',
  'rollup',
  'string_decoder',
  'tinyglobby',
  'ts-morph',
  'util',
  'yaml',
]

const manifest = {
  name: '@framework/compiler',
  version,
  description: 'Compiles the schemas of applications for framework',
  keywords: ['ahead-of-time', 'compiler', 'fastify', 'framework', 'json-schema'],
  license,
  type: 'module',
  files: ['cli', 'compiler', 'joined', 'runtime'],
  imports: {
    '#draft-07': {
      types: './compiler/draft-07.d.cts',
      default: './compiler/draft-07.cjs',
    },
    '#typescript': {
      types: './compiler/typescript.d.cts',
      default: './compiler/typescript.cjs',
    },
  },
  exports: {
    '.': { types: './compiler/index.d.ts', default: './joined/index.js' },
    './cli': { types: './cli/main.d.ts', default: './joined/cli.js' },
    './development': './compiler/in-process.cjs',
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(dependencies.map((name) => [name, devDependencies[name]])),
  peerDependencies: { framework: version },
  engines,
}

writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
for (const name of ['draft-07', 'typescript']) {
  copyFileSync(`compiler/${name}.d.cts`, `dist/compiler/${name}.d.cts`)
}
writeFileSync('dist/compiler/draft-07.cjs', draft07())
writeFileSync('dist/compiler/typescript.cjs', parserFor('compiler'))
// What pages hold for browsers: each script and each style in one piece.
buildSync({
  entryPoints: ['overview', 'analysis'].flatMap((name) =>
    ['ts', 'css'].map((kind) => `compiler/page/browser/${name}.${kind}`),
  ),
  outdir: 'dist/compiler/page/browser',
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  legalComments: 'none',
  logLevel: 'warning',
})
// As where both are installed: the runtime beside it.
mkdirSync('dist/node_modules', { recursive: true })
rmSync('dist/node_modules/framework', { force: true })
symlinkSync('../..', 'dist/node_modules/framework', 'dir')
