/** Subclasses of Ajv that record how functions of keywords were made, and which plugin added a value. */
import { createRequire } from 'node:module'
import type { Ajv, AnySchema, KeywordDefinition, Options } from 'ajv'

/** The call of a keyword's `compile` that made a function. The artifact repeats it. */
export interface MadeFunction {
  readonly keyword: string
  readonly compile: (...args: never) => unknown
  readonly schema: unknown
  readonly parentSchema: unknown
  /** A copy of the third argument. */
  readonly context: CompileContext
  readonly ajv: Ajv
}

export interface CompileContext {
  readonly opts: { readonly useDefaults?: unknown }
  /** The schema is a branch of `anyOf`, `not` or similar. */
  readonly compositeRule?: boolean
}

/** A plugin of the application, and its options if it has any. */
export interface GivenPlugin {
  readonly plugin: unknown
  readonly options: readonly [unknown?]
}

/** A value that a plugin added, and the path to it in everything that the plugin adds. */
export interface AddedValue extends GivenPlugin {
  readonly path: readonly string[]
}

export type RecordingAjv = Ajv & {
  readonly made: ReadonlyMap<unknown, MadeFunction>
  readonly added: ReadonlyMap<unknown, AddedValue>
  /** The plugin that is running. */
  adding: GivenPlugin | undefined
}

/** The modules of the classes, by `ajv.mode`. */
const MODULES: Readonly<Record<string, string>> = {
  '2019': 'ajv/dist/2019.js',
  '2020': 'ajv/dist/2020.js',
  JTD: 'ajv/dist/jtd.js',
}

type AjvClass = new (options: Options) => Ajv
type RecordingClass = new (options: Options) => RecordingAjv

const require = createRequire(import.meta.url)
const classes = new Map<string, RecordingClass>()

/** @param mode `ajv.mode`. As in @fastify/ajv-compiler, unknown values mean draft-07 */
export function createRecordingAjv(mode: unknown, options: Options): RecordingAjv {
  const module = MODULES[String(mode)] ?? 'ajv'
  let Recording = classes.get(module)
  if (Recording === undefined) {
    const { default: Base } = require(module) as { default: AjvClass }
    classes.set(module, (Recording = recordingClass(Base)))
  }
  return new Recording(options)
}

interface KeywordFields {
  readonly keyword: string | readonly string[]
  readonly validate?: unknown
  readonly compile?: unknown
}

type Compile = (
  this: unknown,
  schema: unknown,
  parentSchema: AnySchema,
  context: CompileContext,
) => unknown

function recordingClass(Base: AjvClass): RecordingClass {
  return class extends Base {
    /** Declared without a value, because the constructor of Ajv adds keywords before fields are set. */
    declare made: Map<unknown, MadeFunction>
    declare added: Map<unknown, AddedValue>
    declare adding: GivenPlugin | undefined

    override addKeyword(...[first, second]: Parameters<Ajv['addKeyword']>): Ajv {
      this.made ??= new Map()
      const definition = typeof first === 'string' ? second : first
      const { keyword, validate, compile } = { keyword: first, ...definition } as KeywordFields
      const [name = ''] = [keyword].flat()
      this.note(validate, 'keywords', name, 'validate')
      this.note(compile, 'keywords', name, 'compile')
      if (typeof first !== 'string') return super.addKeyword(recording(first, name, this.made))
      return super.addKeyword(first, second && recording(second, name, this.made))
    }

    override addFormat(...[name, format]: Parameters<Ajv['addFormat']>): Ajv {
      this.note(format, 'formats', name)
      return super.addFormat(name, format)
    }

    note(value: unknown, ...path: readonly string[]): void {
      this.added ??= new Map()
      if (this.adding === undefined || (typeof value !== 'function' && typeof value !== 'object'))
        return
      this.added.set(value, { ...this.adding, path })
    }
  }
}

function recording(
  definition: KeywordDefinition,
  keyword: string,
  made: Map<unknown, MadeFunction>,
): KeywordDefinition {
  const { compile } = definition as { compile?: Compile }
  if (typeof compile !== 'function') return definition
  const recorded = {
    ...definition,
    compile(this: Ajv, schema: unknown, parentSchema: AnySchema, context: CompileContext) {
      const result = compile.call(this, schema, parentSchema, context)
      const call = { keyword, compile, schema, parentSchema, context: { ...context } }
      made.set(result, { ...call, ajv: this })
      return result
    },
  }
  return recorded as unknown as KeywordDefinition
}
