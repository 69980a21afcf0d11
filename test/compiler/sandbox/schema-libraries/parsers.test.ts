/** Compares types that parse with compiled parsers with Zod's own, by random types and values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Artifact, TakeOption } from '../../../../runtime/artifact/index.ts'
import { zodDigest, type ZodType } from '../../../../runtime/artifact/zod-digest.ts'
import { attachParser } from '../../../../runtime/compiled/zod-parsers.ts'
import * as generated from '../../../../runtime/generated/zod.ts'
import { compileParser } from '../../../../compiler/sandbox/schema-libraries/zod/compile.ts'
import type { Parser, ZodCore } from '../../../../compiler/sandbox/schema-libraries/zod/core.ts'
import { createRandom, type Random } from '../../../support/random-values.ts'
import { root } from '../../../support/root.ts'
import { runs } from '../../../support/runs.ts'

interface Result {
  readonly success: boolean
  readonly data: unknown
  readonly error?: { readonly message: string; readonly issues: unknown }
}

type Parse = (type: ZodType, value: unknown) => Result

interface Types {
  junk(): unknown
  build(depth: number): [type: ZodType, value: () => unknown]
}

const load = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(join(root, 'fixtures/zod', file)).href)) as Module
const core = await load<ZodCore & Record<'safeParse' | 'safeEncode', Parse>>(
  'node_modules/zod/v4/core/index.js',
)
const { createTypes } = await load<{ createTypes(random: Random): Types }>('random-types.js')

type Make = (take: TakeOption) => Parser & { readonly encodes?: true }

/** Returns an artifact with the parser alone. `note` gets its results. */
function artifactOf(type: ZodType, note: (result: unknown) => void): Artifact | string {
  const { parser, refusal } = compileParser(type, core)
  if (parser === undefined) return refusal ?? ''
  // oxlint-disable-next-line no-new-func -- a file of an artifact has the same text
  const make = Function(
    ...Object.keys(generated),
    `return ${parser.maker}`,
  )(...Object.values(generated)) as Make
  const load = (_: string, take: TakeOption): Parser => {
    const parse = make(take)
    return Object.assign(
      (value: unknown) => {
        const result = parse(value)
        note(result)
        return result
      },
      { encodes: parse.encodes },
    )
  }
  const has = (digest: string): boolean => digest === parser.digest
  return { libraries: { zod: core }, has, load } as unknown as Artifact
}

function outcomeOf(parse: Parse, type: ZodType, value: unknown): string {
  try {
    const { success, data, error } = parse(type, value)
    return inspect(success ? data : [error?.issues, error?.message], { depth: 30 })
  } catch (error) {
    return `throws ${String(error)}`
  }
}

const { numRuns, seed } = runs(400)

test(`types answer alike with compiled parsers, which answer for all valid values (seed ${seed})`, () => {
  const random = createRandom(seed)
  const { build, junk } = createTypes(random)
  const counts = { compiled: 0, refused: 0, valid: 0, encoded: 0 }
  for (let i = 0; i < numRuns; i++) {
    const [type, generate] = build(1 + random.below(4))
    let calls: unknown[] = []
    const artifact = artifactOf(type, (result) => calls.push(result))
    if (typeof artifact === 'string') {
      assert.match(artifact, /does not support (?:coercion|catch with a callback|a schema whose)/)
      counts.refused++
      continue
    }
    counts.compiled++
    const values = Array.from({ length: 12 }, () => (random.chance(0.15) ? junk() : generate()))
    const ways = [core.safeParse, core.safeEncode]
    const expected = values.map((value) => ways.map((way) => outcomeOf(way, type, value)))
    const isValid = values.map((value) => {
      try {
        return core.safeParse(type, value).success
      } catch {
        return false
      }
    })
    const before = zodDigest(type)
    attachParser(type, [artifact])
    for (const [k, value] of values.entries()) {
      const what = `${inspect(type._zod.def, { depth: 4 })} with ${inspect(value)}`
      calls = []
      assert.equal(outcomeOf(core.safeParse, type, value), expected[k]?.[0], what)
      if (isValid[k]) {
        assert.equal(calls.length, 1, what)
        assert.notEqual(calls[0], core.INVALID, what)
        counts.valid++
      }
      calls = []
      assert.equal(outcomeOf(core.safeEncode, type, value), expected[k]?.[1], what)
      if (calls.length > 0) counts.encoded++
    }
    assert.equal(zodDigest(type), before)
  }
  assert.ok(counts.compiled > counts.refused * 5, inspect(counts))
  assert.ok(counts.valid > numRuns && counts.encoded > numRuns, inspect(counts))
})
