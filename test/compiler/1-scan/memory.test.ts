/** Parts of a growing program that are gone through once: after each round, what is known of them is as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Memory } from '../../../compiler/1-scan/sandbox/memory.ts'
import { runs } from '../../support/runs.ts'

/** A part that leads to others; a loose one gives no notice of what it becomes, a growing one only gets more. */
interface Part {
  readonly kind: 'noticed' | 'loose' | 'growing'
  leads: number[]
}

type Step =
  | { readonly type: 'lead'; readonly from: number; readonly to: number }
  | { readonly type: 'drop'; readonly from: number }
  | { readonly type: 'look'; readonly root: number }

const size = 8
const index = fc.nat({ max: size - 1 })
const kind = fc.constantFrom<Part['kind']>('noticed', 'noticed', 'noticed', 'loose', 'growing')
const step = fc.oneof(
  fc.record({ type: fc.constant('lead' as const), from: index, to: index }),
  fc.record({ type: fc.constant('drop' as const), from: index }),
  fc.record({ type: fc.constant('look' as const), root: index }),
)

/** Goes through parts as the encoder does, and takes down what it has seen of each. */
class Walk {
  readonly seen = new Map<Part, number[]>()
  visits = 0
  readonly #parts: readonly Part[]
  readonly #memory = new Memory()

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  write(part: Part): void {
    if (part.kind === 'noticed') this.#memory.changed(part)
  }

  from(root: number): void {
    this.#memory.begin()
    this.#go(root)
  }

  #go(number: number): void {
    const part = this.#parts[number] as Part
    const { memory, name } = { memory: this.#memory, name: String(number) }
    if (part.kind !== 'noticed') {
      return memory.loosePart(name, (from) => {
        this.#lead(part, part.kind === 'growing' ? from : 0)
        return part.kind === 'growing' ? part.leads.length : 0
      })
    }
    memory.part(name, () => {
      memory.reads(part)
      this.#lead(part, 0)
    })
  }

  #lead(part: Part, from: number): void {
    this.visits++
    this.seen.set(part, [...(this.seen.get(part) ?? []).slice(0, from), ...part.leads.slice(from)])
    for (const next of part.leads.slice(from)) this.#go(next)
  }
}

function reachable(parts: readonly Part[], root: number): Set<Part> {
  const found = new Set<Part>()
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const part = parts[next] as Part
    if (!found.has(part)) open.push(...part.leads)
    found.add(part)
  }
  return found
}

function take(parts: readonly Part[], walk: Walk, one: Step): void {
  if (one.type === 'look') {
    walk.from(one.root)
    for (const part of reachable(parts, one.root)) {
      assert.deepEqual(walk.seen.get(part), part.leads)
    }
    return
  }
  const part = parts[one.from] as Part
  if (one.type === 'drop' && part.kind === 'growing') return
  walk.write(part)
  if (one.type === 'drop') part.leads.shift()
  else part.leads.push(one.to)
}

test('knows each part that a question leads to as it is', () => {
  fc.assert(
    fc.property(
      fc.array(kind, { minLength: size, maxLength: size }),
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      (kinds, steps) => {
        const parts = kinds.map((one): Part => ({ kind: one, leads: [] }))
        const walk = new Walk(parts)
        for (const one of steps) take(parts, walk, one)
      },
    ),
    runs(1000),
  )
})

test('goes through what it knows no second time', () => {
  const count = 2000
  // Each leads to the one before; one list grows with each of them, as that of the calls on one object does.
  const parts: Part[] = [{ kind: 'growing', leads: [] }]
  const walk = new Walk(parts)
  for (let number = 1; number <= count; number++) {
    parts.push({ kind: 'noticed', leads: [0, number - 1] })
    parts[0]?.leads.push(number)
    walk.from(number)
  }
  assert.ok(walk.visits <= 4 * count, `${walk.visits} visits`)
})
