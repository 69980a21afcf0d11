/** The real Fastify with the functions of an artifact answers as it does alone, and loads no compiler. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import {
  buildProject,
  createProject,
  fastifyLines,
  runProject,
  type Said,
} from '../../support/bridged.ts'
import { writeAll } from '../../support/folders.ts'
import {
  BY_MEDIA_TYPE,
  EVERYTHING,
  OWN_COMPILERS,
  program,
  UNKNOWN,
  type ModuleKind,
} from './applications.ts'
import { runsAll } from '../../support/runs.ts'

/** The lines that list what was loaded. */
const LOADED = /^loaded: .*$/gm

/** The artifacts of programs that were built, and their output without them. */
const artifacts = new Map<string, Record<string, string>>()
const printed = new Map<string, Promise<Said>>()

function runAlone(line: FastifyLine, folder: string, file: string, env = {}): Promise<Said> {
  const key = line + readFileSync(join(folder, file), 'utf8') + JSON.stringify(env)
  const said = printed.get(key) ?? runProject(folder, file, undefined, env)
  printed.set(key, said)
  return said
}

/** A project that is built; `same` runs it in both ways and compares. */
async function project(line: FastifyLine, kind: ModuleKind, body: string) {
  const [file, text] = program(kind, body)
  const folder = createProject(line, { [file]: text })
  const key = line + text
  const known = artifacts.get(key)
  if (known === undefined) {
    const manifest = await buildProject(folder, file)
    assert.equal(manifest.line, line)
    artifacts.set(key, copyOf(join(folder, '.framework')))
  } else writeAll(folder, known)
  return { folder, file, same }

  /** Asserts that the answers are the same; returns what was loaded with the artifact, and the other output. */
  async function same(preload: string, env?: Record<string, string>) {
    const [alone, bridged] = await Promise.all([
      runAlone(line, folder, file, env),
      runProject(folder, file, preload, env),
    ])
    assert.ok(alone.isWell, alone.stderr)
    assert.ok(bridged.isWell, bridged.stderr)
    const isAnswer = (one: string): boolean =>
      !one.startsWith('{"level":') && !one.startsWith('loaded: ')
    const answers = ({ stdout }: typeof alone): string[] => stdout.split('\n').filter(isAnswer)
    assert.deepEqual(answers(bridged), answers(alone))
    assert.ok(answers(alone).length > 1, 'it was asked')
    const warnings = bridged.stdout.split('\n').filter((one) => one.startsWith('{"level":40'))
    return {
      alone: alone.stdout.match(LOADED),
      loaded: bridged.stdout.match(LOADED),
      warnings,
      stderr: bridged.stderr,
    }
  }
}

for (const line of fastifyLines) {
  for (const kind of runsAll ? (['module', 'commonjs'] as const) : (['module'] as const)) {
    test(`${line}, ${kind}: one flag, the same answers, no compiler`, async () => {
      const { same } = await project(line, kind, EVERYTHING)
      const { alone, loaded, warnings, stderr } = await same('fastify.mjs')
      assert.deepEqual(alone, ['loaded: ajv/,fast-json-stringify/index'])
      assert.deepEqual(loaded, ['loaded: '])
      assert.deepEqual([warnings, stderr], [[], ''])
    })
  }

  test(`${line}: bodies and answers by media type`, async () => {
    const { same } = await project(line, 'module', BY_MEDIA_TYPE)
    const { loaded } = await same('fastify.mjs')
    assert.deepEqual(loaded, ['loaded: '])
  })

  test(`${line}: as a schemaController, which Fastify gives header schemas as they are`, async () => {
    const { folder, file } = await project(line, 'module', EVERYTHING)
    const [, text] = program(
      'module',
      EVERYTHING.replace('Fastify({', 'Fastify({ schemaController, '),
    )
    const head = "import { schemaController } from './.framework/schema-controller.mjs'"
    writeAll(folder, { 'given.mjs': `${head}\n${text}` })
    const [alone, given] = await Promise.all([
      runAlone(line, folder, file),
      runProject(folder, 'given.mjs'),
    ])
    assert.equal(given.stdout.replace(LOADED, ''), alone.stdout.replace(LOADED, ''))
    // Version 4 always loads its compilers.
    const loaded = line === 'fastify@5' ? ['loaded: '] : alone.stdout.match(LOADED)
    assert.deepEqual(given.stdout.match(LOADED), loaded)
  })

  test(`${line}: an application's own compilers or bucket stay in use`, async () => {
    const { same } = await project(line, 'module', OWN_COMPILERS)
    await same('fastify.mjs')
  })

  test(`${line}: Fastify compiles schemas that the artifact lacks, and a warning says so once`, async () => {
    const { folder, file, same } = await project(line, 'module', UNKNOWN)
    const { warnings, loaded } = await same('fastify.mjs', { FIELD: 'b' })
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', /GET \/unknown: .*querystring.*app\.mjs:\d+:\d+/)
    assert.deepEqual(loaded, ['loaded: ajv/,fast-json-stringify/index'])
    const strict = await runProject(folder, file, 'fastify.mjs?strict', { FIELD: 'b' })
    assert.equal(strict.isWell, false)
    assert.match(strict.stderr, /GET \/unknown: its querystring is missing in the artifact/)
  })

  test(`${line}: the error of an unknown route says that the build did not see it`, async () => {
    const { folder, file, same } = await project(line, 'module', UNKNOWN)
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/unknown', '/added'))
    const { warnings } = await same('fastify.mjs', { FIELD: 'b' })
    assert.match(
      warnings.join('\n'),
      /GET \/added: .*the build saw no route of this method and URL.*--trace/,
    )
  })

  test(`${line}: Fastify compiles if a plugin of Ajv behaves differently`, async () => {
    const { folder, file, same } = await project(line, 'module', EVERYTHING)
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll("'nameless'", "['nameless', 'more']"))
    const { stderr } = await same('fastify.mjs')
    assert.match(stderr, /`ajv\.plugins\[0\]` does something else/)
  })

  test(`${line}: a damaged artifact is reported, and nothing goes unvalidated`, async () => {
    const { folder, same } = await project(line, 'module', UNKNOWN)
    const chunks = join(folder, '.framework/chunks')
    for (const chunk of readdirSync(chunks).filter((one) => one.endsWith('.cjs'))) {
      writeFileSync(join(chunks, chunk), 'module.exports = () => [() => () => true]')
    }
    const { warnings } = await same('fastify.mjs')
    assert.equal(warnings.length > 0, true)
  })

  test(`${line}: an artifact for another line is refused with a message`, async () => {
    const [other] = fastifyLines.filter((one) => one !== line)
    const theirs = await project(other as FastifyLine, 'module', EVERYTHING)
    const [file, text] = program('module', EVERYTHING)
    const folder = createProject(line, { [file]: text })
    writeAll(folder, copyOf(join(theirs.folder, '.framework')))
    const [alone, bridged, strict] = await Promise.all([
      runAlone(line, folder, file),
      runProject(folder, file, 'fastify.mjs'),
      runProject(folder, file, 'fastify.mjs?strict'),
    ])
    assert.equal(bridged.stdout, alone.stdout)
    assert.match(bridged.stderr, new RegExp(`built for ${other}, and this is Fastify [45]\\.`))
    assert.equal(strict.isWell, false)
    assert.match(strict.stderr, new RegExp(`built for ${other}`))
  })
}

test('an artifact for Fastify 4 does not start this runtime, and is replaced as a whole', async () => {
  const { folder, file } = await project('fastify@4', 'module', UNKNOWN)
  const refused = await runProject(folder, file, 'register.js')
  assert.match(refused.stderr, /This artifact was built for fastify@4/)
  const { build } = await import('../../../compiler/build.ts')
  const out = join(folder, '.framework')
  await build({
    entry: join(folder, file),
    out,
    line: 'framework',
    allowDynamic: true,
    cache: false,
  })
  assert.deepEqual(readdirSync(out).sort(), [
    'chunks',
    'index.d.mts',
    'index.mjs',
    'manifest.json',
    'register.js',
    'worker.d.mts',
    'worker.mjs',
  ])
})

function copyOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.\w+$/.test(name))
  return Object.fromEntries(
    files.map((name) => [join('.framework', name), readFileSync(join(folder, name), 'utf8')]),
  )
}
