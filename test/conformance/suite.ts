import { cpSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installOnce } from './install.ts'

/** A release of Fastify, and the packages that its suite is run with. */
interface Release {
  readonly fastify: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly tools: Readonly<Record<string, string>>
}

/** A line of Fastify that the runtime answers like. */
export type SuiteLine = '4' | '5'

const toolsOf4 = {
  '@sinonjs/fake-timers': '11.0.0',
  ajv: '8.12.0',
  'ajv-errors': '3.0.0',
  'ajv-formats': '2.1.1',
  'ajv-i18n': '4.2.0',
  'ajv-merge-patch': '5.0.1',
  'fast-json-body': '1.1.0',
  'fastify-plugin': '4.5.0',
  'fluent-json-schema': '4.1.0',
  'form-data': '4.0.0',
  h2url: '0.2.0',
  'http-errors': '2.0.0',
  joi: '17.9.2',
  JSONStream: '1.3.5',
  proxyquire: '2.1.3',
  'self-cert': '2.0.0',
  send: '0.18.0',
  'simple-get': '4.0.1',
  split2: '4.2.0',
  tap: '16.3.4',
  undici: '5.22.0',
  vary: '1.1.2',
  yup: '1.1.1',
}

const releases: Readonly<Record<SuiteLine | '4.29', Release>> = {
  4: {
    fastify: '4.21.0',
    // The lowest versions that Fastify allows, which the suite was written against: with later ones
    // (avvio 8.4) Fastify itself fails three of its files.
    dependencies: {
      '@fastify/ajv-compiler': '3.5.0',
      '@fastify/error': '3.2.0',
      '@fastify/fast-json-stringify-compiler': '4.3.0',
      'abstract-logging': '2.0.1',
      avvio: '8.2.1',
      'fast-content-type-parse': '1.0.0',
      'fast-json-stringify': '5.7.0',
      'find-my-way': '7.6.0',
      'light-my-request': '5.9.1',
      pino: '8.12.0',
      'process-warning': '2.2.0',
      'proxy-addr': '2.0.7',
      rfdc: '1.3.0',
      'secure-json-parse': '2.5.0',
      semver: '7.5.0',
      'tiny-lru': '11.0.1',
    },
    tools: toolsOf4,
  },
  // The last release.
  '4.29': { fastify: '4.29.1', dependencies: {}, tools: toolsOf4 },
  5: {
    fastify: '5.12.8',
    // The newest when the release was published.
    dependencies: {
      '@fastify/ajv-compiler': '4.0.8',
      '@fastify/error': '4.3.0',
      '@fastify/fast-json-stringify-compiler': '5.2.0',
      '@fastify/proxy-addr': '5.1.3',
      'abstract-logging': '2.0.1',
      avvio: '9.3.1',
      'fast-json-stringify': '7.3.10',
      'find-my-way': '9.10.2',
      'light-my-request': '6.8.1',
      pino: '10.4.0',
      'process-warning': '5.1.1',
      rfdc: '1.4.1',
      'secure-json-parse': '4.1.1',
      semver: '7.8.6',
      'toad-cache': '3.7.4',
    },
    tools: {
      ajv: '8.20.0',
      'ajv-errors': '3.0.0',
      'ajv-formats': '3.0.1',
      'ajv-i18n': '4.2.0',
      'ajv-merge-patch': '5.0.1',
      'fast-json-body': '1.1.0',
      'fastify-plugin': '6.0.1',
      'fluent-json-schema': '6.0.1',
      h2url: '0.2.0',
      'http-errors': '2.0.1',
      joi: '18.3.2',
      JSONStream: '1.3.5',
      'node-forge': '1.4.3',
      proxyquire: '2.1.3',
      split2: '4.2.0',
      undici: '7.30.2',
      vary: '1.1.2',
      yup: '1.7.1',
    },
  },
}

/** Where npm installs the suites and their tools; about 110 MB each. `PEER_CACHE` names another place. */
export const cacheDir: string = resolve(process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache'))

/** Fastify's own test suite for one line. */
export interface FastifySuite {
  readonly folder: string
  /** A copy of the fastify package outside of node_modules: its test files, and its private files for them. */
  readonly suiteDir: string
  /** A second, separate Fastify, which replaces the first without sharing its private parts. */
  readonly secondPeer: string
  /** Test files relative to the `test` folder of the suite, without those for types and bundlers. */
  readonly files: readonly string[]
}

/** Installs the suite and what it needs, once per machine and version list. Takes about 25 s. */
export function installSuite(line: keyof typeof releases): FastifySuite {
  const { fastify, dependencies, tools } = releases[line]
  // Beside the other one, where modules of this one aren't looked for.
  const folder = line === '4' ? cacheDir : `${cacheDir}-${line}`
  const suiteDir = join(folder, 'suite')
  const foreign = join(folder, 'foreign')
  const overrides = { fastify: dependencies }
  installOnce(folder, { dependencies: { fastify, ...tools }, overrides }, () => {
    rmSync(suiteDir, { recursive: true, force: true })
    cpSync(join(folder, 'node_modules/fastify'), suiteDir, { recursive: true })
  })
  installOnce(foreign, { dependencies: { fastify }, overrides }, () => {})
  const files = readdirSync(join(suiteDir, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.m?js$/.test(file) && !/^(types|bundler|build|scripts)\//.test(file))
    .sort()
  return {
    folder,
    suiteDir,
    secondPeer: join(foreign, 'node_modules/fastify/fastify.js'),
    files,
  }
}
