/** The errors of serializers. */

/** @param path the path in the schema */
export function mismatch(path: string): TypeError {
  return new TypeError(`The value of '${path}' does not match schema definition.`)
}

export function missing(name: string): Error {
  return new Error(`"${name}" is required!`)
}
