import type { Params } from './types.ts'

/** Makes the object of parameters: `n` are the names, `v` the values in the same order. */
type CreateParams = (n: readonly string[], v: readonly (string | undefined)[]) => Params

/** How the parameters of a route are called, and how their object is made. */
export interface ParamsShape {
  readonly names: readonly string[]
  readonly create: CreateParams
}

/**
 * Functions that look the same and are not: an engine remembers for each place in the source which
 * property a computed name stands for there, and is twice as fast as long as it is always the same.
 * So each list of names gets a place of its own while there are any left, by number of names. That
 * is what a router that generates code gains from it.
 */
const places: CreateParams[][] = [
  [() => ({})],
  [
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
    (n, v) => ({ [n[0]!]: v[0] }),
  ],
  [
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1] }),
  ],
  [
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1], [n[2]!]: v[2] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1], [n[2]!]: v[2] }),
    (n, v) => ({ [n[0]!]: v[0], [n[1]!]: v[1], [n[2]!]: v[2] }),
  ],
]

const shapes = new Map<string, ParamsShape>()

/** The shape for a list of parameter names; the same one for all routes that have these names. */
export function shapeOf(names: readonly string[]): ParamsShape {
  const key = names.map((name) => '/' + name).join('')
  let shape = shapes.get(key)
  if (shape === undefined) {
    const create = names.includes('__proto__') ? undefined : places[names.length]?.shift()
    shape = { names: names.map(toPropertyName), create: create ?? createAny }
    shapes.set(key, shape)
  }
  return shape
}

/**
 * Also makes a parameter called `__proto__` safe: assigning a string to it does nothing, so that it
 * is missing, as it is with find-my-way.
 */
function createAny(names: readonly string[], values: readonly (string | undefined)[]): Params {
  const params: Params = {}
  for (let i = 0; i < names.length; i++) {
    params[names[i]!] = values[i]
  }
  return params
}

/** The same text as engines keep it for property names, which saves looking it up each time. */
function toPropertyName(text: string): string {
  return Object.keys({ [text]: 0 })[0]!
}
