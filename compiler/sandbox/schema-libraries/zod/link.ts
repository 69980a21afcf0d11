/** Replaces the values that recorded code refers to: data by literals, functions of Zod and of the application by their paths. */
import type { Recorded } from './compile.ts'
import type { ZodCore } from './core.ts'
import type { Path, Survey } from './survey.ts'

/** The type stays with the live parser. */
export class LinkError extends Error {}

export interface Linked {
  /** Its free names are `imports` and, if `takes`, the function `take`. */
  readonly expression: string
  readonly imports: readonly string[]
  /** Members of Zod's core that the runtime and `take` read. */
  readonly members: readonly string[]
  readonly takes: boolean
}

/**
 * Functions of Zod's compiler that it doesn't export, with ours that do the same, by their text without comments and spaces. A text
 * that isn't known isn't linked.
 */
const helpers: Readonly<Record<string, string>> = {
  'functionruntimeRun(schema,value){constresult=schema._zod.run({value,issues:[]},{});if(result&&typeofresult.then==="function")returnINVALID;constr=result;returnr.issues.length===0?r.value:INVALID;}':
    'zodRun',
  'functionruntimeCatch(innerSchema,catchValue,value){constresult=innerSchema._zod.run({value,issues:[]},{});if(result&&typeofresult.then==="function")returnINVALID;constr=result;if(r.issues.length===0)returnr.value;returncatchValue();}':
    'zodCatch',
  'functionthrowAsync(){thrownew$ZodAsyncError();}': 'zodThrowAsync',
  '(value)=>{constfakePayload={value,issues:[],addIssue:pushIssue};constresult=checkFn(fakePayload);if(resultinstanceofPromise)throwAsync();returnfakePayload.issues.length===0?fakePayload.value:INVALID;}':
    'zodCheck',
  '(value)=>{constfakePayload={value,issues:[],addIssue:pushIssue};constresult=transformFn(value,fakePayload);if(resultinstanceofPromise)returnINVALID;returnfakePayload.issues.length===0?result:INVALID;}':
    'zodTransform',
}

export function link(
  parser: unknown,
  recorded: ReadonlyMap<unknown, Recorded>,
  { paths, identify }: Survey,
  core: ZodCore,
): Linked {
  const exported = exportsOf(core)
  const imports = new Set<string>()
  // The runtime calls it.
  const members = new Set(core['isBackEdge'] === undefined ? [] : ['isBackEdge'])
  const expression = write(recorded.get(parser) as Recorded)
  return {
    expression,
    imports: [...imports].sort(),
    members: [...members].sort(),
    takes: expression.includes('take('),
  }

  function write({ names, values, body }: Recorded): string {
    const constants = names.map((name, i) => `const ${name}=${expressionOf(values[i])};\n`)
    return `(()=>{${constants.join('')}${body}})()`
  }

  function imported(name: string): string {
    imports.add(name)
    return name
  }

  function expressionOf(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value)
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value)
      case 'boolean':
      case 'undefined':
        return String(value)
      case 'bigint':
        return `${value}n`
      case 'symbol':
        return symbol(value)
      case 'function':
        return functionOf(value as (value: unknown) => unknown)
      default:
        return objectOf(value as object | null)
    }
  }

  function symbol(value: symbol): string {
    const key = Symbol.keyFor(value)
    if (value === core.INVALID) return imported('ZOD_INVALID')
    return key === undefined ? taken(value) : `Symbol.for(${JSON.stringify(key)})`
  }

  function functionOf(value: (value: unknown) => unknown): string {
    const made = recorded.get(value)
    if (made !== undefined) return write(made)
    const path = exported.get(value)
    if (path !== undefined) return takeOfZod(path)
    if (value === Object.prototype.propertyIsEnumerable)
      return 'Object.prototype.propertyIsEnumerable'
    if (paths.has(value)) return taken(value)
    const helper = helpers[plainText(value)]
    if (helper === 'zodThrowAsync') return throwAsync()
    if (helper === 'zodRun' || helper === 'zodCatch') return imported(helper)
    const hidden = identify(value)
    if (hidden?.maker === 'zodCheck' && helper === hidden.maker) {
      return call(helper, [take(['type', ...hidden.path]), throwAsync()])
    }
    if (hidden !== undefined && (helper === hidden.maker || hidden.maker === 'zodDefault'))
      return call(hidden.maker, [take(['type', ...hidden.path])])
    throw new LinkError(`its parser calls a function that is not known: ${plainText(value)}`)
  }

  function objectOf(value: object | null): string {
    if (value === null) return 'null'
    const prototype: unknown = Object.getPrototypeOf(value)
    const path = exported.get(value)
    if (path !== undefined) return takeOfZod(path)
    if (value instanceof RegExp && prototype === RegExp.prototype)
      return `new RegExp(${JSON.stringify(value.source)},${JSON.stringify(value.flags)})`
    if (value instanceof Date && prototype === Date.prototype) return `new Date(${value.getTime()})`
    if (value instanceof Set && prototype === Set.prototype)
      return `new Set([${[...value].map(expressionOf).join()}])`
    // The cache of a lazy type.
    if (Object.keys(value).join() === 'parser' && Object.values(value)[0] === null)
      return '{parser:null}'
    return taken(value)
  }

  function throwAsync(): string {
    return call('zodThrowAsync', [takeOfZod(['$ZodAsyncError'])])
  }

  function takeOfZod(path: Path): string {
    members.add(String(path[0]))
    return take(['zod', ...path])
  }

  function call(name: string, args: readonly string[]): string {
    return `${imported(name)}(${args.join()})`
  }

  /** Takes a value from the live type. */
  function taken(value: unknown): string {
    const path = paths.get(value)
    if (path === undefined) throw new LinkError('its parser refers to a value that is not in it')
    return take(['type', ...path])
  }
}

function take(path: Path): string {
  return `take(${JSON.stringify(path)})`
}

/** Returns the paths of functions and patterns that Zod exports. */
function exportsOf(core: ZodCore): ReadonlyMap<unknown, Path> {
  const all: (readonly [unknown, Path])[] = [
    ...Object.entries(core.regexes).map(([name, value]) => [value, ['regexes', name]] as const),
    ...Object.entries(core.util).map(([name, value]) => [value, ['util', name]] as const),
    ...Object.entries(core).map(([name, value]) => [value, [name]] as const),
  ]
  return new Map(all.filter(([value]) => typeof value === 'function' || value instanceof RegExp))
}

/** Returns the text of a function without comments, spaces and the names of modules, which CommonJS adds. */
function plainText(value: object): string {
  return String(value)
    .replace(/\/\/.*|\/\*[^]*?\*\//g, '')
    .replace(/\bexports\.|\b\w+_js_1\./g, '')
    .replace(/\s+/g, '')
}
