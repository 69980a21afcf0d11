/**
 * Text that tells all plain data apart, also where JSON shows the same: `NaN` and `null`, `undefined` and nothing.
 * `undefined` when there is something in it that has no such text, such as a function.
 */
export function exactText(value: unknown): string | undefined {
  try {
    return write(value)
  } catch (error) {
    if (error instanceof NotData) return undefined
    throw error
  }
}

class NotData extends Error {}

function write(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value)
    default:
      throw new NotData()
  }
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, write).join()}]`
  if (value instanceof RegExp) return `RegExp(${write(value.source)},${write(value.flags)})`
  if (value instanceof Date) return `Date(${value.getTime()})`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) throw new NotData()
  const members = Object.entries(value).map(([key, member]) => `${write(key)}:${write(member)}`)
  return `${prototype === null ? 'null' : ''}{${members.join()}}`
}
