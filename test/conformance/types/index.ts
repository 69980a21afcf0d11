/**
 * Checks the type tests of Fastify 4.21.0 (`test/types` in its package) with `tsd`, or with `-- --line 5` those of Fastify 5.12.8 with
 * tstyche: as they are, and with the types of this package in the place of Fastify's. What holds of Fastify's types must hold of these.
 *
 *     npm run conformance:types
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chosenLine } from '../compare.ts'
import { edits, failing } from './edits.ts'
import { root } from '../../support/root.ts'
import { installOnce } from '../install.ts'
import { cacheDir, type SuiteLine } from '../suite.ts'

interface Problem {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** The default export of `tsd`, which isn't installed in this package. */
type Tsd = (options: {
  cwd: string
}) => Promise<{ fileName: string; message: string; line?: number }[]>

interface Release {
  /** The packages that the tests import, as new as what this package uses, and what checks them. */
  readonly dependencies: Readonly<Record<string, string>>
  /** The end of the names of test files. */
  readonly suffix: string
  /** The name of this package in them. */
  readonly entry: string
  check(folder: string): Promise<readonly Problem[]>
}

const releases: Readonly<Record<SuiteLine, Release>> = {
  4: {
    dependencies: {
      '@fastify/error': '3.4.1',
      '@sinclair/typebox': '0.29.6',
      '@types/node': '20.19.43',
      ajv: '8.20.0',
      fastify: '4.21.0',
      'json-schema-to-ts': '2.9.1',
      pino: '8.21.0',
      tsd: '0.33.0',
    },
    suffix: '.test-d.ts',
    entry: 'framework',
    check: checkWithTsd,
  },
  5: {
    dependencies: {
      '@fastify/ajv-compiler': '4.0.8',
      '@fastify/error': '4.3.0',
      '@fastify/fast-json-stringify-compiler': '5.2.0',
      '@types/node': '24.0.0',
      ajv: '8.20.0',
      fastify: '5.12.8',
      'fastify-tsconfig': '3.0.0',
      'find-my-way': '9.10.2',
      'json-schema-to-ts': '3.1.1',
      pino: '10.4.0',
      // The last release for Node 20.
      tstyche: '5.0.2',
      typebox: '1.0.81',
      typescript: '6.0.2',
    },
    suffix: '.tst.ts',
    entry: 'framework/5',
    check: checkWithTstyche,
  },
}

type Subject = 'fastify' | 'framework'

const directories: Readonly<Record<Subject, string>> = {
  fastify: 'test/types',
  framework: 'test',
}

function typesDirOf(line: SuiteLine): string {
  return join(line === '4' ? cacheDir : `${cacheDir}-${line}`, 'types')
}

/** Installs the tests and what they need, once per machine, and makes the copy of them that is about this package. */
function installTypeTests(line: SuiteLine): void {
  const typesDir = typesDirOf(line)
  const original = join(typesDir, 'fastify')
  installOnce(typesDir, { dependencies: releases[line].dependencies }, () => {
    rmSync(original, { recursive: true, force: true })
    cpSync(join(typesDir, 'node_modules/fastify'), original, { recursive: true })
  })
  // Each time: the folder may have been made by another checkout of this package.
  const link = join(typesDir, 'node_modules/framework')
  rmSync(link, { force: true })
  symlinkSync(join(root, 'runtime'), link)
  redirectTests(join(original, directories.fastify), join(typesDir, 'framework'), line)
}

/** Copies the tests, with their imports of Fastify's files redirected to this package, which exports all of it. */
function redirectTests(from: string, to: string, line: SuiteLine): void {
  const directory = directories.framework
  const compilerOptions = { module: 'nodenext', moduleResolution: 'nodenext' }
  const manifest = {
    name: 'types-of-framework',
    types: 'index.d.ts',
    files: ['index.d.ts'],
    tsd: { directory, compilerOptions },
  }
  rmSync(to, { recursive: true, force: true })
  mkdirSync(join(to, directory), { recursive: true })
  writeFileSync(join(to, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(to, 'index.d.ts'), 'export {}\n')
  const { entry, suffix } = releases[line]
  for (const file of readdirSync(from)) {
    let text = readFileSync(join(from, file), 'utf8')
      .replaceAll(/(?<=declare module )'\.\.\/\.\.\/fastify'/g, "'framework'")
      .replaceAll(/'\.\.\/\.\.\/(fastify|types\/[\w-]+)(\.js)?'/g, `'${entry}'`)
      .replaceAll("'./dummy-plugin'", "'./dummy-plugin.mjs'")
    for (const edit of line === '5' ? edits : []) {
      if (file !== edit.file + suffix) continue
      if (text.search(edit.from) === -1) throw new Error(`${file} lacks ${edit.from}`)
      text = text.replace(edit.from, edit.to)
    }
    // An ES module, whose `import()` has the plugin as default.
    const name = file === 'dummy-plugin.ts' ? 'dummy-plugin.mts' : file
    writeFileSync(join(to, directory, name), text)
  }
}

async function checkTypes(line: SuiteLine, subject: Subject) {
  const { suffix, check } = releases[line]
  const folder = join(typesDirOf(line), subject)
  const tests = readdirSync(join(folder, directories[subject])).filter((file) =>
    file.endsWith(suffix),
  )
  const texts = tests.map((file) => readFileSync(join(folder, directories[subject], file), 'utf8'))
  return {
    fileCount: tests.length,
    assertionCount: texts.flatMap((text) => text.match(/\bexpect\w*[(<]/g) ?? []).length,
    problems: await check(folder),
  }
}

async function checkWithTsd(folder: string): Promise<readonly Problem[]> {
  const entry = pathToFileURL(join(typesDirOf('4'), 'node_modules/tsd/dist/index.js')).href
  const { default: module } = (await import(entry)) as { default: { default: Tsd } }
  const diagnostics = await module.default({ cwd: folder })
  return diagnostics.map(({ fileName, line = 0, message }) => {
    return { file: basename(fileName), line, message }
  })
}

const PROBLEM = /^Error: (.*)[^]*?\n +at \.\/(.*):(\d+):\d+$/gm

/** @throws if it couldn't check anything */
async function checkWithTstyche(folder: string): Promise<readonly Problem[]> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(typesDirOf('5'), 'node_modules/tstyche/build/bin.js')],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  if (!/^Assertions:/m.test(stdout)) throw new Error(stdout + stderr)
  return [...stderr.matchAll(PROBLEM), ...stdout.matchAll(PROBLEM)].map(
    ([, message = '', file = '', line]) => ({ file: basename(file), line: Number(line), message }),
  )
}

const line = chosenLine()
installTypeTests(line)
const onFastify = await checkTypes(line, 'fastify')
const onFramework = await checkTypes(line, 'framework')

const known: ReadonlySet<string> =
  line === '4'
    ? // It requires the exact type of `redirect`, which takes a status after the URL as well, as on Fastify 5.
      new Set(['reply.test-d.ts:31'])
    : new Set(
        Object.values(failing)
          .flatMap((files) => Object.entries(files))
          .flatMap(([file, lines]) => lines.map((at) => `${file}.tst.ts:${at}`)),
      )
const expected = new Set(onFastify.problems.map(placeOf))
const found = new Set(onFramework.problems.map(placeOf))
const complaints = [
  ...onFramework.problems
    .filter((problem) => !expected.has(placeOf(problem)) && !known.has(placeOf(problem)))
    .map((problem) => `${placeOf(problem)} ${problem.message}`),
  ...[...known]
    .filter((place) => !found.has(place))
    .map((place) => `${place} is a known difference, but passes`),
]

const changes = line === '4' ? '' : `, after ${edits.length} changes of files`
console.log(
  `${onFramework.fileCount} files, ${onFramework.assertionCount} assertions: ` +
    `${expected.size} fail on Fastify's own types, ${known.size} are known differences${changes}, and ${complaints.length} problems`,
)
for (const complaint of complaints) console.error(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1

function placeOf({ file, line: at }: Problem): string {
  return `${file}:${at}`
}
