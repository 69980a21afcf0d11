/**
 * Records what functions of the application do while Ajv compiles with them, so that the runtime can check that they still
 * do the same (`runtime/artifact/replay/index.ts`). Schemas that use them are compiled once more for this.
 */
import type { Ajv } from 'ajv'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { describeOption, functionIn, replay } from '../../../runtime/artifact/replay/index.ts'
import type {
  FunctionPlace,
  Replay,
  ReplayCheck,
  Script,
} from '../../../runtime/artifact/replay/index.ts'
import type { ValidatorProfile } from '../../servers/profile.ts'
import { EmitError, toEmitError } from '../errors.ts'
import { compileWith, equip, newAjv } from '../validator/ajv-instance.ts'
import { record, type Run } from './record.ts'

type Definition = Record<string, unknown>

/** A function that can't be checked: it fails, or does something else, when it is watched or called again. */
export interface Unchecked extends FunctionPlace {
  readonly reason: string
}

export interface Recorder {
  /** Checks of the options, whatever is compiled with them. */
  readonly general: readonly ReplayCheck[]
  /** Functions without a check, of those that have run so far, by `keyOf`. */
  readonly unchecked: ReadonlyMap<string, Unchecked>
  /** Checks of a unit; `undefined` if one of its functions can't be checked. */
  checksOf(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
  ): readonly ReplayCheck[] | undefined
}

/** Functions of a keyword that decide what code Ajv generates. */
const KEYWORD_FUNCTIONS: readonly (readonly string[])[] = [
  ['code'],
  ['macro'],
  ['error', 'message'],
  ['error', 'params'],
]

/** Functions in options other than keywords. */
const OPTION_FUNCTIONS: readonly (readonly [option: string, members: readonly string[]])[] = [
  ['code', ['process']],
  ['uriResolver', ['parse', 'resolve', 'serialize']],
]

/** Stops a run that watching has broken. */
class UncheckedError extends Error {
  readonly places: readonly FunctionPlace[]

  constructor(places: readonly FunctionPlace[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.places = places
  }
}

export function createRecorder(options: ValidatorOptions, profile: ValidatorProfile): Recorder {
  const { customOptions } = options
  const general: ReplayCheck[] = []
  const unchecked = new Map<string, Unchecked>()
  /** Keywords of the application. */
  const keywords = new Map<string, FunctionPlace>()
  /** Definitions of keywords that plugins add when they are replayed, as in the runtime. By option, then by keyword. */
  const replayedKeywords = new Map<string, ReadonlyMap<string, object>>()
  /** By the JSON of the shared schemas. */
  const instances = new Map<string, Ajv>()
  /** The checks of the last unit. */
  let checks = new Map<string, ReplayCheck>()
  let isComplete = true
  addDefinitions()
  const first = retry(() => createInstance({}))
  general.push(...first.plugins)
  const keywordsWithFunctions = [...keywords.keys()].filter((name) => {
    return functionsOf(definitionOf(first.ajv, name)).length > 0
  })
  return { general, unchecked, checksOf }

  function addDefinitions(): void {
    const { formats, keywords: definitions = {} } = customOptions as Partial<Record<string, object>>
    if (formats) {
      const option = ['customOptions', 'formats']
      general.push({ option, expected: describeOption(option, formats) })
    }
    for (const [key, definition] of Object.entries(definitions)) {
      if (typeof definition !== 'object' || definition === null) continue
      const option = ['customOptions', 'keywords', Array.isArray(definitions) ? Number(key) : key]
      const { keyword = key } = definition as { keyword?: string | string[] }
      for (const name of [keyword].flat()) keywords.set(name, { option })
      general.push({ option, expected: describeOption(option, definition) })
    }
  }

  /** Runs again without watching the functions that watching breaks, until none is left. */
  function retry<T>(run: () => T): T {
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (!(error instanceof UncheckedError)) throw error
        for (const { option, keyword, member } of error.places) {
          const one = { option, keyword, member, reason: error.message }
          unchecked.set(keyOf(one), one)
        }
        // The failed run has changed its Ajv instance.
        instances.clear()
      }
    }
  }

  function checksOf(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
  ): readonly ReplayCheck[] | undefined {
    const externalsText = JSON.stringify(externals)
    const text = JSON.stringify(schema) + externalsText
    const { code, uriResolver } = customOptions as Readonly<Record<string, Definition | undefined>>
    const runsFunctions =
      code?.['process'] ||
      uriResolver ||
      keywordsWithFunctions.some((name) => text.includes(JSON.stringify(name)))
    if (!runsFunctions) return []
    return retry(() => {
      let ajv = instances.get(externalsText)
      if (ajv === undefined) instances.set(externalsText, (ajv = createInstance(externals).ajv))
      checks = new Map()
      isComplete = true
      forget(ajv)
      compileWatched(ajv, schema)
      return isComplete ? [...checks.values()] : undefined
    })
  }

  /** The schema has been compiled before, so an error after the first watched call is blamed on watching. */
  function compileWatched(ajv: Ajv, schema: unknown): void {
    try {
      compileWith(ajv, schema, () => undefined)
    } catch (error) {
      if (error instanceof UncheckedError || error instanceof EmitError) throw error
      if (checks.size === 0) throw toEmitError(error)
      throw new UncheckedError([...checks.values()], error)
    }
  }

  function createInstance(externals: Readonly<Record<string, unknown>>): {
    readonly ajv: Ajv
    readonly plugins: readonly ReplayCheck[]
  } {
    const plugins: ReplayCheck[] = []
    // Ajv's warnings are reported where the schema is compiled for the artifact.
    const silent = { ...withWatchedFunctions(), logger: false }
    const ajv = newAjv({ ...options, customOptions: silent }, profile)
    equip(ajv, options, profile, externals, (plugin, args, option) => {
      const run = plugin as Run
      if (unchecked.has(keyOf({ option }))) return void run(ajv, ...args)
      const { script } = watch({ option }, () => record(run, { args: [ajv, ...args] }))
      const { text, keywords: found } = replayTwice({ option }, undefined, run, script)
      plugins.push({ option, script, expected: text })
      replayedKeywords.set(JSON.stringify(option), found)
      for (const keyword of found.keys()) keywords.set(keyword, { option, keyword })
    })
    for (const [name, place] of keywords) watchKeyword(definitionOf(ajv, name), place)
    // Compiles the meta-schema now. Otherwise it is compiled, and recorded, with the first schema.
    if (ajv.opts.validateSchema) void ajv.validateSchema({})
    return { ajv, plugins }
  }

  function withWatchedFunctions(): Definition {
    const all: Definition = { ...customOptions }
    for (const [name, members] of OPTION_FUNCTIONS) {
      const holder = all[name] as Definition | undefined
      if (holder === undefined) continue
      const option = ['customOptions', name]
      const functions = members.filter((member) => typeof holder[member] === 'function')
      const watched = functions.map((member) => {
        return [member, recording(holder[member] as Run, holder, { option, member: [member] })]
      })
      all[name] = { ...holder, ...Object.fromEntries(watched) }
    }
    return all
  }

  /** The definition is a copy of the application's, but objects in it are not. */
  function watchKeyword(definition: Definition | undefined, place: FunctionPlace): void {
    if (definition === undefined) return
    for (const member of functionsOf(definition)) {
      const [holder, run] = functionIn(definition, member) as [Definition, Run]
      const watched = recording(run, holder, { ...place, member })
      const [name = '', inner] = member
      definition[name] = inner === undefined ? watched : { ...holder, [inner]: watched }
    }
  }

  function recording(run: Run, owner: unknown, place: FunctionPlace): Run {
    const { option, keyword, member = [] } = place
    return function (this: unknown, ...args) {
      // Ajv calls `macro` with itself as `this`, and not the others.
      const self = member[0] === 'macro' ? (this as object) : undefined
      if (unchecked.has(keyOf(place))) {
        isComplete = false
        return Reflect.apply(run, self ?? owner, args)
      }
      const { result, script } = watch(place, () =>
        record(run, { ...(self && { self }), owner, args }),
      )
      const [holder, fn] =
        keyword === undefined
          ? [owner, run]
          : functionIn(replayedKeywords.get(JSON.stringify(option))?.get(keyword), member)
      const check = { ...place, script, expected: replayTwice(place, holder, fn, script).text }
      checks.set(JSON.stringify(check), check)
      return result
    }
  }
}

function watch<T>(place: FunctionPlace, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof UncheckedError ? error : new UncheckedError([place], error)
  }
}

/** Refuses functions that do something else each time. */
function replayTwice(place: FunctionPlace, owner: unknown, run: unknown, script: Script): Replay {
  const first = replay(owner, run, script)
  if (replay(owner, run, script).text === first.text) return first
  throw new UncheckedError([place], 'it does something else each time')
}

function keyOf({ option, keyword, member }: FunctionPlace): string {
  return JSON.stringify([option, keyword ?? null, member ?? null])
}

/** Makes the next schema compile as in a new instance: shared schemas again, with the same names for values. */
function forget(ajv: Ajv): void {
  Object.assign(ajv.scope, { _names: {}, _values: {} })
  const compiled = { validate: undefined, validateName: undefined, refs: {}, dynamicAnchors: {} }
  for (const env of Object.values(ajv.schemas))
    if (env && !env.meta) Object.assign(env, structuredClone(compiled))
}

function definitionOf(ajv: Ajv, keyword: string): Definition | undefined {
  const rule = ajv.RULES.all[keyword]
  return typeof rule === 'object' ? (rule.definition as unknown as Definition) : undefined
}

function functionsOf(definition: Definition | undefined): readonly (readonly string[])[] {
  return KEYWORD_FUNCTIONS.filter((path) => typeof functionIn(definition, path)[1] === 'function')
}
