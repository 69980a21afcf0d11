/** What a call of a compiled function costs, against the function that is compiled in process. */
import { createEmitter, separate } from '../../../compiler/4-emit/index.ts'
import { createPacker } from '../../../compiler/5-bundle/pack.ts'
import type { CompiledFunction, CompileUnit } from '../../../runtime/artifact/index.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import * as internal from '../../../runtime/internal.ts'
import { compileWithOracle } from '../../support/compile-oracle.ts'

interface Case {
  readonly unit: CompileUnit
  readonly value: unknown
}

const externals = {
  address: {
    $id: 'address',
    type: 'object',
    required: ['street', 'city'],
    properties: {
      street: { type: 'string' },
      city: { type: 'string', maxLength: 80 },
      zip: { type: 'string', pattern: '^[0-9]{5}$' },
    },
  },
  tree: {
    $id: 'tree',
    type: 'object',
    properties: {
      label: { type: 'string' },
      children: { type: 'array', items: { $ref: 'tree#' } },
    },
  },
}

const params = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1 } },
  required: ['id'],
}
const query = {
  type: 'object',
  properties: {
    page: { type: 'integer', default: 1 },
    tags: { type: 'array', items: { type: 'string' } },
  },
}
const order = {
  type: 'object',
  required: ['name', 'address'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', minLength: 1, maxLength: 40 },
    address: { $ref: 'address#' },
    tags: { type: 'array', maxItems: 9, items: { type: 'string' } },
    since: { type: 'string', format: 'date-time' },
    kind: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a', 'b'] }] },
    flags: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
}
const list = { type: 'array', items: order }
const forest = { type: 'object', properties: { root: { $ref: 'tree#' } } }

const anOrder = {
  id: 7,
  name: 'Ada',
  address: { street: 'Main', city: 'Paris', zip: '75001' },
  tags: ['x', 'y'],
  since: '2024-02-29T10:00:00Z',
  kind: 'a',
  flags: { urgent: true },
}
const aTree = { label: 'a', children: [{ label: 'b', children: [] }, { label: 'c' }] }

const validator = createUnitFactory('validator', externals, { customOptions: {}, plugins: [] })
const serializer = createUnitFactory('serializer', externals, {})

const cases: Readonly<Record<string, Case>> = {
  'params, coerced': { unit: validator.unit(params), value: { id: '7' } },
  'querystring, with a default': { unit: validator.unit(query), value: { tags: 'a' } },
  'body, valid': { unit: validator.unit(order), value: anOrder },
  'body, of ten': { unit: validator.unit(list), value: Array(10).fill(anOrder) },
  'body, recursive': { unit: validator.unit(forest), value: { root: aTree } },
  'body, invalid': {
    unit: validator.unit(order),
    value: { ...anOrder, address: { street: 'Main' } },
  },
  response: { unit: serializer.unit(order), value: anOrder },
  'response, of ten': { unit: serializer.unit(list), value: Array(10).fill(anOrder) },
  'response, recursive': { unit: serializer.unit(forest), value: { root: aTree } },
}

/** Nanoseconds for each call. */
export interface CallCost {
  readonly emitted: number
  readonly inProcess: number
}

/**
 * Both functions of a case take turns of about a millisecond. Of the turns the faster quarter counts: the others are those
 * that the machine or the garbage collector has interrupted.
 */
export async function measureCalls(rounds: number): Promise<ReadonlyMap<string, CallCost>> {
  const costs = new Map<string, CallCost>()
  for (const [title, { unit, value }] of Object.entries(cases)) {
    const contestants = [await compileAhead(unit), compileWithOracle(unit)]
    const [a, b] = contestants.map((run) => JSON.stringify(outcomeOf(run, value)))
    if (a !== b) throw new Error(`${title}: ${a} is not ${b}`)
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds + 20; round++) {
      contestants.forEach((run, i) => {
        const time = measure(run, value)
        // The first rounds are for the engine to get warm.
        if (round >= 20) times[i]?.push(time)
      })
    }
    costs.set(title, { emitted: quartile(times[0]), inProcess: quartile(times[1]) })
  }
  return costs
}

/** As an artifact holds it. */
async function compileAhead(unit: CompileUnit): Promise<CompiledFunction> {
  const { maker, shared, ...own } = await createPacker()(separate(createEmitter().emit(unit)))
  const imports = [...new Set([own, ...shared].flatMap((one) => one.imports))]
  const declared = shared.map(({ name, code }) => `const ${name}=${code};`).join('')
  const values = imports.map((name) => (internal as unknown as Record<string, unknown>)[name])
  // oxlint-disable-next-line no-new-func -- stands for loading the file
  const make = Function(
    ...imports,
    `"use strict";${declared}return ${maker}`,
  )(...values) as () => CompiledFunction
  return make()
}

function outcomeOf(run: CompiledFunction, value: unknown): unknown {
  const copy = structuredClone(value)
  return [run(copy), copy, 'errors' in run ? run.errors : undefined]
}

function measure(run: CompiledFunction, value: unknown): number {
  const text = JSON.stringify(value)
  const calls = Array.isArray(value) ? 300 : 3000
  // Each call gets a value of its own, as from a request: coercion and defaults write into it.
  const values = Array.from({ length: calls }, (): unknown => JSON.parse(text))
  const start = performance.now()
  for (const one of values) run(one)
  return ((performance.now() - start) * 1e6) / calls
}

function quartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] as number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
