/** Fastify 5 serializes with fast-json-stringify 6 or 7, depending on its lock file: the functions answer as the installed one does. */
import assert from 'node:assert/strict'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from '../../../compiler/build.ts'
import { deploy } from '../../../compiler/deploy/index.ts'
import type { LineName } from '../../../runtime/artifact/lines.ts'
import {
  buildProject,
  createProject,
  fastifyWithSerializers,
  folderOf,
  runProject,
  type Said,
} from '../../support/bridged.ts'
import { runCommand } from '../../support/command-runs.ts'
import { root } from '../../support/root.ts'
import { LISTS, program } from './applications.ts'

const [file, text] = program('module', LISTS)

/** Its answers without functions and with those of an artifact, the loaded modules and the output. */
async function answers(folder: string) {
  const [alone, bridged] = await Promise.all([
    runProject(folder, file),
    runProject(folder, file, 'fastify.mjs'),
  ])
  const linesOf = ({ stdout }: typeof alone): string[] => stdout.trim().split('\n')
  return {
    alone: linesOf(alone).slice(0, -1),
    bridged: linesOf(bridged).slice(0, -1),
    loaded: linesOf(bridged).at(-1),
    said: bridged.stderr,
  }
}

test('functions answer as the fast-json-stringify that is installed', async () => {
  const folders = [
    ...['6.1.1', '6.4.0', '7.0.0'].map((one) => fastifyWithSerializers('fastify@5', one)),
    folderOf('fastify@5'),
  ].map((fastify) => createProject('fastify@5', { [file]: text }, fastify))
  const outputs: string[][] = []
  for (const folder of folders) {
    await buildProject(folder, file)
    const { alone, bridged, loaded, said } = await answers(folder)
    assert.deepEqual(bridged, alone)
    assert.deepEqual([loaded, said], ['loaded:', ''])
    outputs.push(alone)
  }
  const [first, second, third, fourth] = outputs
  assert.notDeepEqual(first, second)
  assert.deepEqual(second, third)
  assert.notDeepEqual(third, fourth)

  // After an update, the functions are for another version, so they aren't used, with one warning.
  const [before, after] = [folders[0] as string, folders[3] as string]
  cpSync(join(before, '.framework'), join(after, '.framework'), { recursive: true })
  const { alone, bridged, loaded, said } = await answers(after)
  const strict = await runProject(after, file, 'fastify.mjs?strict')
  assert.equal(strict.isWell, false)
  assert.match(
    strict.stderr,
    /as fast-json-stringify >=5\.13\.0 <6\.2\.0, and 7\.\d+\.\d+ is installed/,
  )
  assert.deepEqual(bridged, alone)
  assert.equal(loaded, 'loaded: ajv/,fast-json-stringify/index')
  assert.match(
    said,
    /The serializers of the artifact answer as fast-json-stringify >=5\.13\.0 <6\.2\.0, and 7\.\d+\.\d+ is installed: Fastify compiles its own\. Run `framework build` again\.\n/,
  )
})

test('an artifact for an older fast-json-stringify says why `framework/fastify` cannot use it, and a deployment needs none', async () => {
  const file = 'app.mjs'
  const text = `import Fastify from 'fastify'
const app = Fastify()
const response = { 200: { type: 'object', properties: { a: { type: 'string' } } } }
app.get('/', { schema: { response } }, async () => ({ a: 1, b: 2 }))
await app.ready()
console.log((await app.inject('/')).body)
`
  for (const version of ['6.1.1', '6.4.0']) {
    const fastify = fastifyWithSerializers('fastify@5', version)
    const folder = createProject('fastify@5', { [file]: text }, fastify)
    symlinkSync(join(root, 'runtime'), join(folder, 'node_modules/framework'))
    const entry = join(folder, file)
    const packageJson = join(folder, 'package.json')
    const codes = async (line?: LineName): Promise<string[]> => {
      const { warnings, diagnostics } = await build({ entry, line, cache: false })
      return [...warnings, ...diagnostics].map(({ code }) => code)
    }
    const start = (): Promise<Said> =>
      runProject(folder, file, 'register.js', { NODE_OPTIONS: '--import framework/fastify' })
    // Fastify itself can use it.
    assert.deepEqual(await codes(), [])
    writeFileSync(packageJson, '{ "dependencies": { "fastify": "*", "framework": "*" } }')
    assert.deepEqual(await codes(), ['AOT_SERIALIZERS_OLDER'])
    assert.match(
      (await start()).stderr,
      /no serializer for GET \/, .*: its serializers match the older fast-json-stringify of the installed Fastify, .* Run "framework build app\.mjs --server framework"\.$/m,
    )
    assert.deepEqual(await codes('framework'), [])
    assert.equal((await start()).stdout, '{"a":"1"}\n')

    const check = runCommand(folder, ['check', file])
    assert.equal(check.status, 0, check.stdout)

    const { diagnostics, warnings, deployment } = await deploy({ entry, target: 'node' })
    assert.deepEqual([...diagnostics, ...warnings], [])
    const deployed = await runProject(deployment?.out as string, 'index.js')
    assert.equal(deployed.stdout, '{"a":"1"}\n', deployed.stderr)
  }
})

for (const [line, version, made] of [
  ['fastify@4', '5.9.1', '>=5.13.0 <6.2.0'],
  ['fastify@5', '7.1.0', '>=7.1.5 <8.0.0'],
] as const) {
  test(`functions are left alone where what is installed answers otherwise: ${version}`, async () => {
    const fastify = fastifyWithSerializers(line, version)
    const folder = createProject(line, { [file]: text }, fastify)
    const { warnings } = await build({ entry: join(folder, file), out: join(folder, 'out') })
    const codes = warnings.map(({ code }) => code)
    assert.deepEqual(codes, ['AOT_SERIALIZERS_UNLIKE'])
    assert.ok(warnings[0]?.message.startsWith(`fast-json-stringify ${version} is installed`))
    await buildProject(folder, file)
    const { alone, bridged, said } = await answers(folder)
    assert.deepEqual(bridged, alone)
    const what = `as fast-json-stringify ${made}, and ${version} is installed: Fastify compiles its own.`
    assert.ok(said.includes(`${what} No artifact answers as that version.\n`), said)
  })
}
