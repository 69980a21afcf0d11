/** Finds out where a type has its objects and functions, for code that takes them from the live type. */
import { isZodType, type ZodType } from '../../../../runtime/artifact/zod-digest.ts'
import { definitionOf, type Definition } from './core.ts'

export type Path = readonly (string | number)[]

/** A function of the application that Zod's compiler hides in a closure of its own. */
export interface Hidden {
  /** The function of `runtime/generated/zod.ts` that makes such a closure. */
  readonly maker: 'zodTransform' | 'zodCheck' | 'zodDefault'
  readonly path: Path
}

export interface Survey {
  /** Paths from the type, by value. */
  readonly paths: ReadonlyMap<unknown, Path>
  /** Runs a function with every hidden function replaced by a probe. */
  withProbes<T>(run: () => T): T
  /** Returns the hidden function that a closure calls. Only while the probes are installed. */
  identify(closure: (value: unknown) => unknown): Hidden | undefined
}

/** Types may be nested without end: getters may return new ones. */
const MAX_DEPTH = 60

interface Probe {
  readonly holder: object
  readonly key: string
  readonly hidden: Hidden
  readonly original: PropertyDescriptor
}

export function survey(root: ZodType): Survey {
  const paths = new Map<unknown, Path>()
  const probes: Probe[] = []
  let found: Hidden | undefined
  let isIdentifying = false
  visit(root, [])
  return { paths, withProbes, identify }

  function visit(value: unknown, path: Path): void {
    if (!isReferable(value) || paths.has(value) || path.length > MAX_DEPTH) return
    paths.set(value, path)
    if (typeof value !== 'object' || isData(value)) return
    if (isZodType(value)) {
      visitType(value, path)
      return
    }
    for (const key of Object.keys(value)) {
      // A default may be computed by a function of the application.
      if (key === 'defaultValue') continue
      const name = Array.isArray(value) ? Number(key) : key
      visit(read(value, name), [...path, name])
    }
  }

  function visitType(type: ZodType, path: Path): void {
    const def = definitionOf(type)
    const internals = type._zod as ZodType['_zod'] & {
      readonly pattern?: unknown
      readonly check?: unknown
    }
    const inner = [...path, '_zod']
    visit(internals.pattern, [...inner, 'pattern'])
    if (typeof def['transform'] === 'function')
      addProbe(def, 'transform', { maker: 'zodTransform', path: [...inner, 'def', 'transform'] })
    if (def.check === 'custom' && def['fn'] === undefined && typeof internals.check === 'function')
      addProbe(internals, 'check', { maker: 'zodCheck', path: [...inner, 'check'] })
    if (def.type === 'default' || def.type === 'prefault')
      addProbe(def, 'defaultValue', { maker: 'zodDefault', path: [...inner, 'def'] })
    visit(def, [...inner, 'def'])
  }

  function addProbe(holder: Definition | object, key: string, hidden: Hidden): void {
    const original = Object.getOwnPropertyDescriptor(holder, key)
    // A getter runs functions of the application.
    const value: unknown = original?.value
    // Zod's compiler refuses asynchronous functions by their class.
    const isAsync = typeof value === 'function' && value.constructor.name === 'AsyncFunction'
    if (original !== undefined && !isAsync) probes.push({ holder, key, hidden, original })
  }

  function withProbes<T>(run: () => T): T {
    try {
      for (const { holder, key, hidden, original } of probes) {
        const note = (): void => {
          found = hidden
        }
        const probe =
          hidden.maker === 'zodDefault'
            ? {
                get(): unknown {
                  note()
                  if (isIdentifying) return undefined
                  return original.get === undefined ? original.value : original.get.call(holder)
                },
              }
            : { value: note, writable: true }
        Object.defineProperty(holder, key, { ...probe, configurable: true, enumerable: true })
      }
      return run()
    } finally {
      // Whatever happens: these are the application's own objects.
      for (const { holder, key, original } of probes) Object.defineProperty(holder, key, original)
    }
  }

  function identify(closure: (value: unknown) => unknown): Hidden | undefined {
    found = undefined
    isIdentifying = true
    try {
      closure(undefined)
    } catch {
      // A closure that does more than a probe notices isn't one of those that are known.
      return undefined
    } finally {
      isIdentifying = false
    }
    return found
  }
}

/** Returns `undefined` if a getter of the application throws. */
function read(owner: object, name: string | number): unknown {
  try {
    return (owner as Record<string | number, unknown>)[name]
  } catch {
    return undefined
  }
}

function isReferable(value: unknown): value is object {
  return (
    (typeof value === 'object' && value !== null) ||
    typeof value === 'function' ||
    typeof value === 'symbol'
  )
}

function isData(value: object): boolean {
  return [RegExp, Date, Set, Map].some((one) => value instanceof one)
}
