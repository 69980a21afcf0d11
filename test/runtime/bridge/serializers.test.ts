/** Fastify 5 serializes with fast-json-stringify 6 or 7, as its lock file has it: the functions answer as the one that is installed. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  buildProject,
  createProject,
  fastifyWithSerializers,
  folderOf,
  runProject,
} from '../../support/bridged.ts'
import { LISTS, program } from './applications.ts'

const [file, text] = program('module', LISTS)

/** Its answers without functions and with those of an artifact; what was loaded, and what was said. */
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
  const folders = [fastifyWithSerializers('fastify@5', '6.1.1'), folderOf('fastify@5')].map(
    (fastify) => createProject('fastify@5', { [file]: text }, fastify),
  )
  const told: string[][] = []
  for (const folder of folders) {
    await buildProject(folder, file)
    const { alone, bridged, loaded, said } = await answers(folder)
    assert.deepEqual(bridged, alone)
    assert.deepEqual([loaded, said], ['loaded:', ''])
    told.push(alone)
  }
  assert.notDeepEqual(told[0], told[1])

  // After an update the functions are of the other version: they are left alone, and that is said once.
  const [before, after] = folders as [string, string]
  cpSync(join(before, '.framework'), join(after, '.framework'), { recursive: true })
  const { alone, bridged, loaded, said } = await answers(after)
  assert.deepEqual(bridged, alone)
  assert.equal(loaded, 'loaded: ajv/,fast-json-stringify/index')
  assert.match(
    said,
    /The serializers of the artifact answer as fast-json-stringify >=5\.13 <6\.2, and 7\.\d+\.\d+ is installed: Fastify compiles its own\. Run `framework build` again\.\n/,
  )
})

test('functions are left alone where what is installed answers otherwise', async () => {
  const fastify = fastifyWithSerializers('fastify@4', '5.9.1')
  const folder = createProject('fastify@4', { [file]: text }, fastify)
  await buildProject(folder, file)
  const { alone, bridged, said } = await answers(folder)
  assert.deepEqual(bridged, alone)
  assert.match(
    said,
    /as fast-json-stringify >=5\.13 <6\.2, and 5\.9\.1 is installed: Fastify compiles its own\. No artifact answers as that version\.\n/,
  )
})
