/** What serializers of objects and arrays share. */

/** What a value stands for: its `toJSON()` when it has one. */
export function plain(value: unknown): unknown {
  const { toJSON } = (value || NONE) as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (value as { toJSON(): unknown }).toJSON() : value
}

const NONE = {}

/** @param path the place in the schema */
export function mismatch(path: string): TypeError {
  return new TypeError(`The value of '${path}' does not match schema definition.`)
}

export function missing(name: string): Error {
  return new Error(`"${name}" is required!`)
}
