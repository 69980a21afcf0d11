/**
 * Orders generators among other code. The scan follows a generator to its end when it is called. JavaScript runs it to the next `yield`
 * when a value is taken. So variables and objects that it writes become unknown whenever a value is taken. Values that aren't taken yet
 * become unknown when something changes that it reads.
 */
import type { Node } from '../../util/source/project.ts'
import { optionsOf } from './choices.ts'
import { array, innerValues, unknown } from './index.ts'
import type { ArrayValue, Collection, ObjectValue, Value } from './index.ts'
import type { Journal } from './journal.ts'

interface Generator {
  readonly at: Node
  yields: ArrayValue | undefined
  /** The iterators over its values: one for each branch. */
  readonly iterators: Collection[]
}

/** The entries of an iterator that has come to its end: it stays there, even if elements are added. */
export const ended: Collection['entries'] = []

export class Generators {
  readonly #journal: () => Journal
  readonly #running: Generator[] = []
  /** The generators that read a variable or object, with the number of values that they had given when they last did. */
  readonly #readers = new WeakMap<object, Map<Generator, number>>()
  /** Functions that make unknown what the generator of an iterator writes. */
  readonly #spoilers = new WeakMap<Collection, () => void>()

  constructor(journal: () => Journal) {
    this.#journal = journal
  }

  /** @param run returns the iterators over `values` */
  follow(at: Node, run: () => Value): Value {
    const generator: Generator = { at, yields: undefined, iterators: [] }
    const writes = this.#journal().watch()
    const spoil = (): void =>
      writes.spoil(unknown('a generator writes it while its values are read', at))
    this.#running.push(generator)
    let result: Value
    try {
      result = run()
    } finally {
      this.#running.pop()
      writes.stop()
      spoil()
    }
    for (const { collection } of optionsOf(result) as readonly Partial<ObjectValue>[]) {
      if (collection === undefined) continue
      generator.iterators.push(collection)
      this.#spoilers.set(collection, spoil)
    }
    return result
  }

  /** Must be called when a value is taken from an iterator, or when it is closed. */
  goOn(iterator: Collection): void {
    if (iterator.entries !== ended) this.#spoilers.get(iterator)?.()
  }

  /** Creates the list to which the generator that is being followed adds its values. */
  values(at: Node): ArrayValue {
    const yields = array([], at)
    const generator = this.#running.at(-1)
    if (generator !== undefined) generator.yields = yields
    return yields
  }

  /** @param key a variable, object or list */
  read(key: object): void {
    for (const one of this.#running) {
      const readers = this.#readers.get(key) ?? new Map<Generator, number>()
      this.#readers.set(key, readers.set(one, one.yields?.elements.length ?? 0))
    }
  }

  /** Notes an object and its parts, for code that may read any of them. */
  readDeeply(value: Value, seen: Set<Value> = new Set()): void {
    if (this.#running.length === 0 || seen.has(value)) return
    seen.add(value)
    this.read(value)
    for (const one of innerValues(value)) this.readDeeply(one, seen)
  }

  /** Must be called before the application writes to a variable, object or list. */
  beforeWrite(key: object): void {
    for (const [{ at, iterators }, given] of this.#readers.get(key) ?? []) {
      for (const { entries, iterated } of iterators) {
        if (entries === ended || entries.length > given || iterated?.of.kind !== 'array') continue
        const why = unknown('what this generator reads changes between two of its values', at)
        this.#journal().setElements(iterated.of, iterated.of.elements.slice(0, entries.length))
        this.#journal().setUncertainty(iterated.of, why)
      }
    }
  }
}
