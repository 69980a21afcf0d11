/** Reads the options of autoload. */
import { truthOf } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { isCallable, primitive, undefinedValue } from '../values/index.ts'
import type { Value } from '../values/index.ts'
import type { Node } from '../project.ts'

export class Settings {
  readonly #machine: Machine
  readonly #given: Value
  readonly #at: Node

  constructor(machine: Machine, given: Value, at: Node) {
    this.#machine = machine
    this.#given = given
    this.#at = at
  }

  get(name: string): Value {
    return this.#machine.known(this.#machine.get(this.#given, primitive(name, this.#at), this.#at))
  }

  text(name: string): string | undefined {
    const value = this.get(name)
    return value.kind === 'primitive' && typeof value.value === 'string' ? value.value : undefined
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name)
    if (value.kind === 'primitive' && value.value === undefined) return fallback
    return truthOf(this.#machine, value) ?? this.#missing(name, value, fallback)
  }

  /** Returns a number; `undefined` if none is given. */
  limit(name: string): number | undefined {
    const value = this.get(name)
    if (value.kind !== 'primitive') return this.#missing(name, value, undefined)
    return Number.isFinite(value.value) ? Number(value.value) : undefined
  }

  isSet(name: string): boolean {
    const value = this.get(name)
    return !(value.kind === 'primitive' && !value.value)
  }

  /** Returns whether a pattern, a text or a regular expression, matches; `fallback` if it isn't given. */
  matches(name: string, text: string, fallback: boolean): boolean {
    const pattern = this.get(name)
    if (!this.isSet(name)) return fallback
    return this.#test(name, '(p, s) => s.match(p) !== null', [pattern], text)
  }

  /** Filters may be functions too, and get the path in the folder. */
  accepts(name: string, file: string): boolean {
    const filter = this.get(name)
    if (filter.kind === 'primitive') return file.includes(String(filter.value))
    if (isCallable(filter)) {
      const m = this.#machine
      const accepted = m.call(filter, undefinedValue, [primitive(file, this.#at)], this.#at)
      return truthOf(m, accepted) ?? this.#missing(name, accepted, true)
    }
    return this.#test(name, '(f, s) => f.test(s)', [filter], file)
  }

  /** Returns what a folder adds to the prefix. */
  segment(dir: string, name: string): string {
    const setting = this.get('dirNameRoutePrefix')
    if (isCallable(setting)) {
      const m = this.#machine
      const args = [primitive(dir, this.#at), primitive(name, this.#at)]
      const result = m.known(m.call(setting, undefinedValue, args, this.#at))
      if (result.kind !== 'primitive') return this.#missing('dirNameRoutePrefix', result, '')
      return result.value ? String(result.value) : ''
    }
    return this.flag('dirNameRoutePrefix', true) ? name : ''
  }

  #test(name: string, code: string, operands: readonly Value[], text: string): boolean {
    const m = this.#machine
    const [pattern] = operands
    const test =
      pattern?.kind === 'unknown'
        ? pattern
        : m.deferrals.code(code, [...operands, primitive(text, this.#at)], this.#at)
    return truthOf(m, test) ?? this.#missing(name, test, false)
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
