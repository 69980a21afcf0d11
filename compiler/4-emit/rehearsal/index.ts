/**
 * Writes down what functions of the application do while Ajv compiles with them, for the runtime to see whether its own
 * still do the same (`runtime/artifact/rehearsal.ts`). For that a schema is compiled once more.
 */
import type { Ajv } from 'ajv'
import type { OptionPath, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { describeOption, perform } from '../../../runtime/artifact/rehearsal.ts'
import type { Performance, Rehearsal, Script } from '../../../runtime/artifact/rehearsal.ts'
import type { ValidatorMeaning } from '../../lines/line.ts'
import { EmitError, toEmitError } from '../errors.ts'
import { compileWith, equip, newAjv } from '../validator/ajv-instance.ts'
import { record } from './record.ts'
import { UnwatchedError, type Unwatched } from './unwatched.ts'

export type { Unwatched }

type Run = (this: unknown, ...args: unknown[]) => unknown
type Definition = Record<string, unknown>

/** A keyword of the application's. */
interface Source {
  readonly option: OptionPath
  /** Added by a plugin. */
  readonly isAdded: boolean
}

export interface Rehearser {
  /** Of the options, whatever is compiled with them. */
  readonly general: readonly Rehearsal[]
  /** Functions of which nothing can be written down, as far as they have run. */
  readonly unwatched: ReadonlyMap<string, Unwatched>
  /** Of a unit; `undefined` when functions were met that are not watched. */
  of(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
  ): readonly Rehearsal[] | undefined
}

type About = Omit<Rehearsal, 'script' | 'expected'>

/** What a keyword may do while a schema is compiled. */
const MEMBERS: readonly (readonly string[])[] = [
  ['code'],
  ['macro'],
  ['error', 'message'],
  ['error', 'params'],
]

export function createRehearser(options: ValidatorOptions, line: ValidatorMeaning): Rehearser {
  const { customOptions } = options
  const general: Rehearsal[] = []
  /** What was done for the last unit. */
  let noted = new Map<string, Rehearsal>()
  const { formats } = customOptions
  if (formats) {
    const option = ['customOptions', 'formats']
    general.push({ option, expected: describeOption(option, formats) })
  }
  const sources = new Map<string, Source>()
  for (const [key, definition] of Object.entries(customOptions.keywords ?? {})) {
    if (typeof definition !== 'object' || definition === null) continue
    const index = Array.isArray(customOptions.keywords) ? Number(key) : key
    const option = ['customOptions', 'keywords', index]
    const { keyword = key } = definition as { keyword?: string | string[] }
    for (const name of [keyword].flat()) sources.set(name, { option, isAdded: false })
    general.push({ option, expected: describeOption(option, definition) })
  }
  const unwatched = new Map<string, Unwatched>()
  /** Keywords that plugins have handed over to stand-ins, as they do in the running application. */
  const added = new Map<string, ReadonlyMap<string, object>>()
  /** Whether the last unit met one of them. */
  let isPartial = false
  const instances = new Map<string, Ajv>()
  const first = retry(() => instance({}))
  general.push(...first.plugins)
  const own = [...sources.keys()].filter((name) => membersOf(definitionOf(first.ajv, name)).length)
  return { general, unwatched, of }

  /** Runs without those of which nothing could be written down, until nothing stops it. */
  function retry<T>(run: () => T): T {
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (!(error instanceof UnwatchedError)) throw error
        for (const one of error.found) unwatched.set(keyOf(one), one)
        // What ran half of the way has left its traces in them.
        instances.clear()
      }
    }
  }

  function of(
    schema: unknown,
    externals: Readonly<Record<string, unknown>>,
  ): readonly Rehearsal[] | undefined {
    const externalsText = JSON.stringify(externals)
    const text = JSON.stringify(schema) + externalsText
    const { code, uriResolver } = customOptions as {
      code?: { process?: unknown }
      uriResolver?: unknown
    }
    const isMet =
      code?.process || uriResolver || own.some((name) => text.includes(JSON.stringify(name)))
    if (!isMet) return []
    return retry(() => {
      let ajv = instances.get(externalsText)
      if (ajv === undefined) instances.set(externalsText, (ajv = instance(externals).ajv))
      noted = new Map()
      isPartial = false
      forget(ajv)
      compileWatched(ajv, schema)
      return isPartial ? undefined : [...noted.values()]
    })
  }

  /** It could be compiled before: what stops it now is that its functions are watched. */
  function compileWatched(ajv: Ajv, schema: unknown): void {
    try {
      compileWith(ajv, schema, () => undefined)
    } catch (error) {
      if (error instanceof UnwatchedError || error instanceof EmitError) throw error
      if (noted.size === 0) throw toEmitError(error)
      throw new UnwatchedError([...noted.values()], error)
    }
  }

  function instance(externals: Readonly<Record<string, unknown>>): {
    readonly ajv: Ajv
    readonly plugins: readonly Rehearsal[]
  } {
    const plugins: Rehearsal[] = []
    // What Ajv has to say it says when the schema is compiled in earnest.
    const silent = { ...withWatched(customOptions), logger: false }
    const ajv = newAjv({ ...options, customOptions: silent }, line)
    equip(ajv, options, line, externals, (plugin, given, option) => {
      if (unwatched.has(keyOf({ option }))) return void (plugin as Run)(ajv, ...given)
      const { script } = watched({ option }, () =>
        record(plugin as Run, { given: [ajv, ...given] }),
      )
      const { text, keywords } = performSame({ option }, undefined, plugin as Run, script)
      plugins.push({ option, script, expected: text })
      added.set(JSON.stringify(option), keywords)
      for (const name of keywords.keys()) sources.set(name, { option, isAdded: true })
    })
    for (const [name, source] of sources) watch(definitionOf(ajv, name), name, source)
    // The schema of schemas is compiled with the first one.
    if (ajv.opts.validateSchema) void ajv.validateSchema({})
    return { ajv, plugins }
  }

  /** Functions that are options themselves. */
  function withWatched(custom: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const all: Record<string, unknown> = { ...custom }
    for (const [name, members] of [
      ['code', ['process']],
      ['uriResolver', ['parse', 'resolve', 'serialize']],
    ] as const) {
      const holder = custom[name] as Definition | undefined
      if (holder === undefined) continue
      const copy = { ...holder }
      for (const member of members) {
        if (typeof holder[member] !== 'function') continue
        copy[member] = recording(holder[member] as Run, holder, {
          option: ['customOptions', name],
          member: [member],
        })
      }
      all[name] = copy
    }
    return all
  }

  function watch(
    definition: Definition | undefined,
    keyword: string,
    { option, isAdded }: Source,
  ): void {
    for (const member of membersOf(definition)) {
      const holder = (member.length > 1 ? definition?.error : definition) as Definition
      const key = member.at(-1) as string
      const about = { option, member, keyword: isAdded ? keyword : undefined }
      const run = recording(holder[key] as Run, holder, about)
      if (holder === definition) holder[key] = run
      // The definition is a copy, what lies in it is the application's.
      else if (definition) definition.error = { ...holder, [key]: run }
    }
  }

  /** What the running application will have instead: there, a plugin knows no real Ajv. */
  function holderOf(
    { option, keyword, member = [] }: About,
    owner: unknown,
    run: Run,
  ): [unknown, Run] {
    if (keyword === undefined) return [owner, run]
    let holder: unknown = added.get(JSON.stringify(option))?.get(keyword)
    for (const name of member.slice(0, -1)) holder = (holder as Definition | undefined)?.[name]
    const own = (holder as Definition | undefined)?.[member.at(-1) ?? '']
    return [holder, own as Run]
  }

  function recording(run: Run, owner: unknown, about: About): Run {
    return function (this: unknown, ...given) {
      const self = about.member?.[0] === 'macro' ? (this as object) : undefined
      if (unwatched.has(keyOf(about))) {
        isPartial = true
        return Reflect.apply(run, self ?? owner, given)
      }
      const { result, script } = watched(about, () =>
        record(run, { ...(self && { self }), owner, given }),
      )
      const { text } = performSame(about, ...holderOf(about, owner, run), script)
      const rehearsal = { ...about, script, expected: text }
      noted.set(JSON.stringify(rehearsal), rehearsal)
      return result
    }
  }
}

function watched<T>(about: About, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof UnwatchedError) throw error
    throw new UnwatchedError([about], error)
  }
}

/** Whoever does something else each time cannot be compared. */
function performSame(about: About, owner: unknown, run: Run, script: Script): Performance {
  const performance = perform(owner, run, script)
  if (perform(owner, run, script).text === performance.text) return performance
  throw new UnwatchedError([about], 'it does something else each time')
}

function keyOf({ option, keyword, member }: About): string {
  return JSON.stringify([option, keyword ?? null, member ?? null])
}

/** What was compiled before may not show in what is compiled next. */
function forget(ajv: Ajv): void {
  Object.assign(ajv.scope, { _names: {}, _values: {} })
  for (const env of Object.values(ajv.schemas)) {
    if ((env as { meta?: boolean }).meta) continue
    Object.assign(env as object, {
      validate: undefined,
      validateName: undefined,
      refs: {},
      dynamicAnchors: {},
    })
  }
}

function definitionOf(ajv: Ajv, keyword: string): Definition | undefined {
  const rule = ajv.RULES.all[keyword]
  return typeof rule === 'object' ? (rule.definition as unknown as Definition) : undefined
}

function membersOf(definition: Definition | undefined): readonly (readonly string[])[] {
  return MEMBERS.filter((path) => {
    let at: unknown = definition
    for (const key of path) at = (at as Definition | undefined)?.[key]
    return typeof at === 'function'
  })
}
