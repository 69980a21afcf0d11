/** Reads the options of autoload. */
import { truthOf } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { isCallable, primitive, undefinedValue, type Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'

export class Settings {
  readonly #machine: Machine
  readonly #options: Value
  readonly #at: Node

  constructor(machine: Machine, options: Value, at: Node) {
    this.#machine = machine
    this.#options = options
    this.#at = at
  }

  get(name: string): Value {
    const m = this.#machine
    return m.known(m.get(this.#options, primitive(name, this.#at), this.#at))
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name)
    const isGiven = value.kind !== 'primitive' || value.value !== undefined
    return isGiven ? this.#decide(name, value, fallback) : fallback
  }

  /** Returns a number; `undefined` if none is given. */
  limit(name: string): number | undefined {
    const value = this.get(name)
    if (value.kind !== 'primitive') return this.#missing(name, value, undefined)
    return Number.isFinite(value.value) ? Number(value.value) : undefined
  }

  /** Returns whether a pattern, a text or a regular expression, matches; `fallback` if it isn't given. */
  matches(name: string, text: string, fallback: boolean): boolean {
    const pattern = this.get(name)
    if (pattern.kind === 'primitive' && !pattern.value) return fallback
    return this.#decide(name, this.#test('(p, s) => s.match(p) !== null', pattern, text))
  }

  /** Returns whether a filter, which may be a function too, accepts the path in the folder; `undefined` if it isn't given. */
  accepts(name: string, file: string): boolean | undefined {
    const filter = this.get(name)
    if (filter.kind === 'primitive') {
      return filter.value ? file.includes(String(filter.value)) : undefined
    }
    const accepted = isCallable(filter)
      ? this.#call(filter, file)
      : this.#test('(f, s) => f.test(s)', filter, file)
    return this.#decide(name, accepted)
  }

  /** Returns what a folder adds to the prefix. */
  segment(dir: string, name: string): string {
    const option = 'dirNameRoutePrefix'
    const setting = this.get(option)
    if (!isCallable(setting)) return this.flag(option, true) ? name : ''
    const result = this.#machine.known(this.#call(setting, dir, name))
    if (result.kind !== 'primitive') return this.#missing(option, result, '')
    return result.value ? String(result.value) : ''
  }

  #call(callee: Value, ...texts: readonly string[]): Value {
    const args = texts.map((text) => primitive(text, this.#at))
    return this.#machine.call(callee, undefinedValue, args, this.#at)
  }

  #test(code: string, pattern: Value, text: string): Value {
    return pattern.kind === 'unknown'
      ? pattern
      : this.#machine.deferrals.code(code, [pattern, primitive(text, this.#at)], this.#at)
  }

  #decide(name: string, value: Value, fallback = false): boolean {
    return truthOf(this.#machine, value) ?? this.#missing(name, value, fallback)
  }

  /** Reports an unknown setting, which decides about the files to load. */
  #missing<T>(name: string, value: Value, fallback: T): T {
    const m = this.#machine
    const known = m.known(value)
    const why = known.kind === 'unknown' ? known.why : 'it depends on a condition'
    const text = `its \`${name}\` is not known, ${why}`
    m.reportUnknown('AOT_PLUGIN_NOT_STATIC', this.#at, known, text)
    return fallback
  }
}
