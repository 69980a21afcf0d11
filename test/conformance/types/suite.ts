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
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installOnce } from '../install.ts'
import { cacheDir } from '../suite.ts'

export interface Problem {
  /** Name of the test file. */
  readonly file: string
  readonly line: number
  readonly message: string
}

export interface Result {
  readonly fileCount: number
  readonly assertionCount: number
  readonly problems: readonly Problem[]
}

/** The default export of `tsd`, which isn't installed in this package. */
type Tsd = (options: { readonly cwd: string }) => Promise<
  readonly {
    readonly fileName: string
    readonly message: string
    readonly line?: number
  }[]
>

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const typesDir = join(cacheDir, 'types')

/** The packages that the tests import besides Fastify: what it allows, as new as what this package uses. */
const dependencies = {
  '@fastify/error': '3.4.1',
  '@sinclair/typebox': '0.29.6',
  '@types/node': '20.19.43',
  ajv: '8.20.0',
  fastify: '4.21.0',
  'json-schema-to-ts': '2.9.1',
  pino: '8.21.0',
  tsd: '0.33.0',
}

/** Installs the tests and what they need, once per machine, and makes the copy of them that is about this package. */
export function installTypeTests(): void {
  installOnce(typesDir, { dependencies }, () => {
    rmSync(folderOf('fastify'), { recursive: true, force: true })
    cpSync(join(typesDir, 'node_modules/fastify'), folderOf('fastify'), { recursive: true })
  })
  // Each time: the folder may have been made by another checkout of this package.
  const link = join(typesDir, 'node_modules/framework')
  rmSync(link, { force: true })
  symlinkSync(join(root, 'runtime'), link)
  redirectTests(join(folderOf('fastify'), directories.fastify), folderOf('framework'))
}

type Subject = 'fastify' | 'framework'

const directories: Readonly<Record<Subject, string>> = {
  fastify: 'test/types',
  framework: 'test',
}

function folderOf(subject: Subject): string {
  return join(typesDir, subject)
}

/** Copies the tests, with their imports of Fastify's files redirected to `framework`, which exports all of it. */
function redirectTests(from: string, to: string): void {
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
  for (const file of listFiles(from)) {
    const text = readFileSync(join(from, file), 'utf8')
      .replaceAll(/'\.\.\/\.\.\/(fastify|types\/[\w-]+)'/g, "'framework'")
      .replaceAll("'./dummy-plugin'", "'./dummy-plugin.mjs'")
    // An ES module, whose `import()` has the plugin as default.
    const name = file === 'dummy-plugin.ts' ? 'dummy-plugin.mts' : file
    writeFileSync(join(to, directory, name), text)
  }
}

/** Checks the tests of one of the two. */
export async function checkTypes(subject: Subject): Promise<Result> {
  const folder = folderOf(subject)
  const entry = pathToFileURL(join(typesDir, 'node_modules/tsd/dist/index.js')).href
  const { default: module } = (await import(entry)) as { default: { default: Tsd } }
  const diagnostics = await module.default({ cwd: folder })
  const tests = listFiles(join(folder, directories[subject])).filter((file) =>
    file.endsWith('.test-d.ts'),
  )
  const texts = tests.map((file) => readFileSync(join(folder, directories[subject], file), 'utf8'))
  return {
    fileCount: tests.length,
    assertionCount: texts.flatMap((text) => text.match(/\bexpect\w+[(<]/g) ?? []).length,
    problems: diagnostics.map(({ fileName, line = 0, message }) => ({
      file: basename(fileName),
      line,
      message,
    })),
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.ts'))
}
