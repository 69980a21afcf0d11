/**
 * Writes down what functions of the application do while Ajv compiles with them, for the runtime to see whether its own
 * still do the same (`runtime/artifact/rehearsal.ts`). For that a schema is compiled once more.
 */
import type { Ajv } from 'ajv'
import type { OptionPath, ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { describeOption, perform } from '../../../runtime/artifact/rehearsal.ts'
import type { Rehearsal } from '../../../runtime/artifact/rehearsal.ts'
import type { ValidatorMeaning } from '../../lines/line.ts'
import { compileWith, equip, newAjv } from '../validator/ajv-instance.ts'
import { record } from './record.ts'

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
  /** Of a unit. */
  of(schema: unknown, externals: Readonly<Record<string, unknown>>): readonly Rehearsal[]
}

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
  const first = instance({})
  general.push(...first.plugins)
  const own = [...sources.keys()].filter((name) => membersOf(definitionOf(first.ajv, name)).length)
  const instances = new Map<string, Ajv>()
  return { general, of }

  function of(schema: unknown, externals: Readonly<Record<string, unknown>>): readonly Rehearsal[] {
    const externalsText = JSON.stringify(externals)
    const text = JSON.stringify(schema) + externalsText
    const { code, uriResolver } = customOptions as {
      code?: { process?: unknown }
      uriResolver?: unknown
    }
    const isMet =
      code?.process || uriResolver || own.some((name) => text.includes(JSON.stringify(name)))
    if (!isMet) return []
    let ajv = instances.get(externalsText)
    if (ajv === undefined) instances.set(externalsText, (ajv = instance(externals).ajv))
    noted = new Map()
    forget(ajv)
    compileWith(ajv, schema, () => undefined)
    return [...noted.values()]
  }

  function instance(externals: Readonly<Record<string, unknown>>): {
    readonly ajv: Ajv
    readonly plugins: readonly Rehearsal[]
  } {
    const plugins: Rehearsal[] = []
    const ajv = newAjv({ ...options, customOptions: watched(customOptions) }, line)
    equip(ajv, options, line, externals, (plugin, given, option) => {
      const { script } = record(plugin as Run, { given: [ajv, ...given] })
      const { text, keywords } = perform(undefined, plugin, script)
      plugins.push({ option, script, expected: text })
      for (const name of keywords.keys()) sources.set(name, { option, isAdded: true })
    })
    for (const [name, source] of sources) watch(definitionOf(ajv, name), name, source)
    // The schema of schemas is compiled with the first one.
    if (ajv.opts.validateSchema) void ajv.validateSchema({})
    return { ajv, plugins }
  }

  /** Functions that are options themselves. */
  function watched(custom: Readonly<Record<string, unknown>>): Record<string, unknown> {
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

  function recording(run: Run, owner: unknown, about: Omit<Rehearsal, 'script' | 'expected'>): Run {
    return function (this: unknown, ...given) {
      const self = about.member?.[0] === 'macro' ? (this as object) : undefined
      const { result, script } = record(run, { ...(self && { self }), owner, given })
      const rehearsal = { ...about, script, expected: perform(owner, run, script).text }
      noted.set(JSON.stringify(rehearsal), rehearsal)
      return result
    }
  }
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
