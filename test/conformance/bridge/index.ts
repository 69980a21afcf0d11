/**
 * `npm run conformance:bridge`: the test files of Fastify 4.29 and 5 that are about schemas, with the functions that are
 * compiled for their line and without. What passes without passes with them.
 *
 * `-- --line fastify@5` runs one line, `--files a,b` the files whose name has one of the words.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import { installOnce } from '../install.ts'

const { values } = parseArgs({
  options: { line: { type: 'string' }, files: { type: 'string', default: '' } },
})

/** The packages that the tests require besides Fastify. */
const tools = {
  ajv: '8.20.0',
  'ajv-errors': '3.0.0',
  'ajv-formats': '3.0.1',
  'ajv-i18n': '4.2.0',
  'ajv-merge-patch': '5.0.1',
  'fluent-json-schema': '6.0.0',
  'form-data': '4.0.4',
  joi: '18.0.1',
  proxyquire: '2.1.3',
  'simple-get': '4.0.1',
  yup: '1.7.1',
}

const suites: Readonly<Record<FastifyLine, Readonly<Record<string, string>>>> = {
  'fastify@4': {
    ...tools,
    fastify: '4.29.1',
    'fastify-plugin': '4.5.1',
    joi: '17.13.3',
    tap: '16.3.10',
    undici: '6.21.3',
  },
  'fastify@5': { ...tools, fastify: '5.12.8', 'fastify-plugin': '5.1.0', undici: '7.16.0' },
}

/** By their names, and by what they speak of. */
const ABOUT_SCHEMAS = /schema|serializ|validat|ajv/i
const NAMES =
  /schema|valid|serial|content-type|input|output|nullable|request-error|error-handl|route|reply|inject|encapsulat|register|plugin|child|decorat|hooks|context-config|versioned|constrained/

/** A test that must fail: with compiled functions no compiler is loaded. */
const COMPILERS_ARE_LOADED = 'SchemaController are loaded when the controllers are not custom'

const preload = fileURLToPath(new URL('preload.js', import.meta.url))
const cache = process.env.BRIDGE_CACHE ?? join(tmpdir(), 'bridge-cache')

/** A test file in one of the two ways. */
interface Ran {
  /** The lines of its report, without times. */
  readonly passed: ReadonlySet<string>
  readonly found: number
  readonly missed: number
}

function install(line: FastifyLine): string {
  const folder = join(cache, line.replace('@', '-'))
  const suite = join(folder, 'suite')
  installOnce(folder, { dependencies: suites[line] }, () => {
    rmSync(suite, { recursive: true, force: true })
    cpSync(join(folder, 'node_modules/fastify'), suite, { recursive: true })
    // Keeps the packages that npm has installed below it.
  })
  return suite
}

function run(line: FastifyLine, suite: string, file: string, isBridged: boolean): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'framework-counts-'))
  const counts = join(folder, 'counts.json')
  const flags = ['--test-reporter=tap', ...(isBridged ? ['--import', preload] : [])]
  const { stdout } = spawnSync(process.execPath, [...flags, file], {
    cwd: suite,
    encoding: 'utf8',
    env: { ...process.env, LINE: line, COUNTS: counts, NODE_ENV: 'test' },
    timeout: 120_000,
  })
  const lines = stdout.match(/^ *ok \d+ - .*$/gm) ?? []
  const passed = new Set(
    lines.map((one) => one.replace(/ok \d+ - | # time=.*$|\s*\{$|(?<=127\.0\.0\.1):\d+/g, '')),
  )
  const told = isBridged ? JSON.parse(readFileSync(counts, 'utf8')) : { found: 0, missed: 0 }
  rmSync(folder, { recursive: true })
  return { passed, ...(told as { found: number; missed: number }) }
}

for (const line of ['fastify@4', 'fastify@5'] as const) {
  if (values.line !== undefined && values.line !== line) continue
  const suite = install(line)
  const sum = { passed: 0, lost: 0, found: 0, missed: 0 }
  const words = values.files.split(',')
  const isWanted = (file: string): boolean =>
    NAMES.test(file) || ABOUT_SCHEMAS.test(readFileSync(join(suite, 'test', file), 'utf8'))
  const files = readdirSync(join(suite, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && words.some((word) => file.includes(word)))
    .filter(isWanted)
  for (const file of files) {
    const alone = run(line, suite, `test/${file}`, false)
    const bridged = run(line, suite, `test/${file}`, true)
    const lost = [...alone.passed].filter(
      (one) => bridged.passed.has(one) === (one.trim() === COMPILERS_ARE_LOADED),
    )
    for (const one of lost) console.log(`${line} ${file}: lost${one}`)
    sum.passed += alone.passed.size - lost.length
    sum.lost += lost.length
    sum.found += bridged.found
    sum.missed += bridged.missed
  }
  console.log(
    `${line}: ${sum.passed} assertions and tests of ${files.length} files pass, ${sum.lost} lost; ${sum.found} functions found, ${sum.missed} compiled by Fastify`,
  )
  if (sum.lost > 0 || sum.passed === 0 || sum.found === 0) process.exitCode = 1
}
