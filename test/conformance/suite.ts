import { cpSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installOnce } from './install.ts'

/** Where npm installs the suite and its tools; about 110 MB. `PEER_CACHE` names another place. */
export const cacheDir: string = resolve(process.env['PEER_CACHE'] ?? join(tmpdir(), 'peer-cache'))

/** A copy of the fastify package outside of node_modules: its test files, and its private files for them. */
export const suiteDir: string = join(cacheDir, 'suite')

/** A second, separate Fastify, which replaces the first without sharing its private parts. */
export const secondPeer: string = join(cacheDir, 'foreign/node_modules/fastify/fastify.js')

const fastify = '4.21.0'

/**
 * The lowest versions that Fastify allows, which the suite was written against: with later ones
 * (avvio 8.4) Fastify itself fails three of its files.
 */
const dependencies = {
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
}

const tools = {
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

/** Installs the suite and what it needs, once per machine and version list. Takes about 25 s. */
export function installSuite(): void {
  const overrides = { fastify: dependencies }
  installOnce(cacheDir, { dependencies: { fastify, ...tools }, overrides }, () => {
    rmSync(suiteDir, { recursive: true, force: true })
    cpSync(join(cacheDir, 'node_modules/fastify'), suiteDir, { recursive: true })
  })
  installOnce(join(cacheDir, 'foreign'), { dependencies: { fastify }, overrides }, () => {})
}

/** Test files relative to the suite's `test` folder, without those for types and bundlers. */
export function listTestFiles(): string[] {
  return readdirSync(join(suiteDir, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && !/^(types|bundler|build)\//.test(file))
    .sort()
}
