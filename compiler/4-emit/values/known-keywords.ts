/** Replaces functions that keywords of known packages make from a schema by calls of `framework/internal`. */
import { loadedCopies } from './loaded-packages.ts'
import type { MadeFunction } from './recording-ajv.ts'
import { literal } from '../../util/literal.ts'

export interface KnownCall {
  /** An export of `framework/internal`. */
  readonly name: string
  readonly code: string
}

interface Definition {
  compile(): unknown
}

/** Classes that `instanceof` knows without additions of the application. */
const CLASSES: ReadonlySet<string> = new Set(
  'Array Buffer Date Function Number Object Promise RegExp String'.split(' '),
)

/** Functions that `dynamicDefaults` knows without additions of the application. */
const DEFAULTS: ReadonlySet<string> = new Set(
  'date datetime random randomint seq time timestamp'.split(' '),
)

const SCALARS: ReadonlySet<unknown> = new Set(['number', 'integer', 'string', 'boolean', 'null'])

/** Returns the call that makes the same function, for keywords of ajv-keywords 5 and @fastify/multipart. */
export function knownCall(made: MadeFunction): KnownCall | undefined {
  if (isOfMultipart(made)) return { name: 'isFile', code: 'isFile' }
  if (!isOfAjvKeywords(made)) return undefined
  switch (made.keyword) {
    case 'instanceof':
      return instanceOf(made)
    case 'uniqueItemProperties':
      return uniqueItemProperties(made)
    case 'dynamicDefaults':
      return dynamicDefaults(made)
    default:
      return undefined
  }
}

/** Compares texts, because the package creates each definition again. */
function isOfAjvKeywords({ keyword, compile }: MadeFunction): boolean {
  return loadedCopies(`ajv-keywords/dist/definitions/${keyword}.js`).some(
    ({ version, exports }) =>
      version.startsWith('5.') &&
      String((exports as () => Definition)().compile) === String(compile),
  )
}

/** Recognises `ajvFilePlugin`, which creates its function for each Ajv. */
function isOfMultipart({ keyword, compile }: MadeFunction): boolean {
  if (keyword !== 'isFile') return false
  return loadedCopies('@fastify/multipart/index.js').some(({ version, exports }) => {
    const definitions: Definition[] = []
    const { ajvFilePlugin } = exports as { ajvFilePlugin?(ajv: object): unknown }
    ajvFilePlugin?.({ addKeyword: (one: Definition) => definitions.push(one) })
    return version.startsWith('8.') && String(definitions[0]?.compile) === String(compile)
  })
}

function instanceOf({ schema }: MadeFunction): KnownCall | undefined {
  const names = [schema].flat() as string[]
  if (!names.every((name) => CLASSES.has(name))) return undefined
  return { name: 'instanceOf', code: `instanceOf(${literal(names)})` }
}

function uniqueItemProperties({ schema, parentSchema }: MadeFunction): KnownCall {
  const keys = schema as string[]
  const { items } = parentSchema as {
    items?: { properties?: Readonly<Record<string, { type?: unknown } | undefined>> }
  }
  const areScalar = keys.map((key) => {
    const type = items?.properties?.[key]?.type
    return Array.isArray(type)
      ? !type.includes('object') && !type.includes('array')
      : SCALARS.has(type)
  })
  const code = `uniqueItemProperties(${literal(keys)},${literal(areScalar)})`
  return { name: 'uniqueItemProperties', code }
}

function dynamicDefaults(made: MadeFunction): KnownCall | undefined {
  const { schema, context } = made
  const { useDefaults } = context.opts
  if (!useDefaults || context.compositeRule) return { name: 'noDefaults', code: 'noDefaults' }
  const defaults = Object.entries(schema as Record<string, string | { func: string }>)
  const isKnown = defaults.every(([, value]) =>
    DEFAULTS.has(typeof value === 'string' ? value : value.func),
  )
  if (!isKnown) return undefined
  const code = `dynamicDefaults(${literal(schema)},${useDefaults === 'empty'})`
  return { name: 'dynamicDefaults', code }
}
