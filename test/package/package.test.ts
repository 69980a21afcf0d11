/** The published package, as tools that look at packages see it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack } from '../support/packed.ts'

const tarball = pack({ after })
const data = new Uint8Array(readFileSync(tarball))

test('publint has nothing to say', async () => {
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    [],
  )
})

/** ES modules alone, for programs that build; Node has been able to `require` such since 20.19. */
const modules = ['./compiler', './internal']

test('every entry has its types, in each way to resolve it', async () => {
  const result = await checkPackage(createPackageFromTarballData(data))
  assert.ok(result.types)
  const problems = result.problems.filter(
    (problem) => problem.kind !== 'CJSResolvesToESM' || !modules.includes(problem.entrypoint),
  )
  assert.deepEqual(problems, [])
})
