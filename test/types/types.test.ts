import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/folders.ts'
import { root } from '../support/root.ts'

/** Returns the problems that the compiler finds. */
function check(project: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', project], { cwd: root }, (error, stdout, stderr) => {
      resolve(error === null ? '' : stdout + stderr)
    })
  })
}

/** A folder outside this package, with the built package installed in it. */
async function consumer(t: TestContext, options: object): Promise<string> {
  const folder = temporaryFolder(t)
  const installed = [
    '@fastify/bearer-auth',
    '@sinclair/typebox',
    '@types/node',
    'fastify-plugin',
    'typebox',
    'zod',
  ]
  for (const name of installed) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(join(root, 'runtime'), join(folder, 'node_modules/framework'))
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node', 'framework/fastify'],
    ...options,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}

test('the declarations have the types that the type tests require', async (t) => {
  const folder = temporaryFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const types = join(root, 'test/types')
  const variants = await readFile(join(types, 'variants.ts'), 'utf8')
  await writeFile(join(folder, 'variants.ts'), variants.replace("'fastify'", "'framework'"))
  // Replies have another order of parameters in Fastify 5, and type providers other members.
  const provider5 = `interface Provider extends lib.FastifyTypeProvider {
  readonly validator: this['schema'] extends { is: infer T } ? T : unknown
}`
  const variants5 = variants
    .replaceAll(/(?<=FastifyReply<)(\w+, \w+, \w+), ([^,>]+)/g, '$2, $1')
    .replace(/(?<=FastifyReply<)Http2/, 'lib.RouteGenericInterface, Http2')
    .replace(/interface Provider \{[^}]*\}[^}]*\}/, provider5)
  await writeFile(join(folder, 'real-5.ts'), variants5.replace("'fastify'", "'fastify-5'"))
  await writeFile(join(folder, 'variants-5.ts'), variants5.replace("'fastify'", "'framework/5'"))
  await writeFile(
    join(folder, 'covers.ts'),
    `import type { Covers, Expect } from '${types}/expect.ts'
import type { Assignable as Real } from '${types}/variants.ts'
import type { Assignable as Ours } from './variants.ts'
import type { Assignable as Real5 } from './real-5.ts'
import type { Assignable as Ours5 } from './variants-5.ts'
export type Covered = Expect<Covers<Ours, Real>>
export type Covered5 = Expect<Covers<Pick<Ours5, 'replies'>, Pick<Real5, 'replies'>>>
`,
  )
  const config = {
    extends: `${types}/tsconfig.json`,
    include: ['*.ts', `${types}/*.test-d.ts`],
    compilerOptions: {
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: false,
      rootDir: '/',
    },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  assert.equal(await check(folder), '')
})

test("declarations of 'framework' apply to an application that imports only framework/5", async (t) => {
  const folder = await consumer(t, { types: ['node'] })
  await writeFile(
    join(folder, 'app.cts'),
    `import fastify from 'framework/5'
declare module 'framework' {
  interface FastifyRequest { user: string }
}
fastify().get('/', async (request, reply) => [request.user, reply.routeOptions.url])
`,
  )
  assert.equal(await check(folder), '')
})

test('the TypeScript examples of the pages compile, and every test checks something', async (t) => {
  const folder = await consumer(t, { skipLibCheck: true })
  const docs = join(root, 'docs')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  let count = 0
  for (const page of pages.filter((file) =>
    /^(?:reference\/.*|guide\/typescript)\.md$/.test(file),
  )) {
    const text = await readFile(join(docs, page), 'utf8')
    // A block with a name is a file of a recipe, whose test compiles it.
    for (const [, code = ''] of text.matchAll(/```ts\n(.*?)```/gs))
      await writeFile(join(folder, `${page.replaceAll(/\W/g, '-')}-${count++}.mts`), code)
  }
  assert.ok(count > 20)
  assert.equal(await check(folder), '')
  await writeFile(join(folder, 'wrong.mts'), "import 'framework'\nconst wrong: number = 'text'\n")
  assert.match(await check(folder), /wrong\.mts/)
})
