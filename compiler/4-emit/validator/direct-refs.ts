/**
 * References to objects, as calls that cost little.
 *
 * Ajv copies what is referred to into each place, or else calls it with all that any schema might ask for. An object
 * schema asks for nothing but the value: it is not coerced, so that nobody writes to its parent. Such a schema
 * becomes one function, which other validators can share; where it stands is added to errors when there are some.
 */
import type { Ajv, AnySchema, KeywordCxt, KeywordDefinition } from 'ajv'
import { _ } from 'ajv'
import { strConcat } from 'ajv/dist/compile/codegen/code.js'
import { compileSchema, resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js'
import names from 'ajv/dist/compile/names.js'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { collectWithin, within } from '../../../runtime/generated/failure.ts'

type Code = (this: unknown, cxt: KeywordCxt, type?: string) => void
type SchemaObject = Readonly<Record<string, unknown>>

/** What stands in the code for a function that is called lightly, until it is known. */
export class DirectRef {
  readonly target: SchemaEnv
  constructor(target: SchemaEnv) {
    this.target = target
  }

  get validate(): SchemaEnv['validate'] {
    return this.target.validate
  }

  /** One for each target. Ajv names values by what they are, and has a name for the target itself. */
  static of(target: SchemaEnv): DirectRef {
    let known = directRefs.get(target)
    if (known === undefined) directRefs.set(target, (known = new DirectRef(target)))
    return known
  }
}

const directRefs = new WeakMap<SchemaEnv, DirectRef>()

/** Options that change nothing about it. */
const HARMLESS: ReadonlySet<string> = new Set([
  'allErrors',
  'coerceTypes',
  'messages',
  'removeAdditional',
  'strict',
  'strictNumbers',
  'strictSchema',
  'strictTuples',
  'strictTypes',
  'allowUnionTypes',
  'useDefaults',
])

/** Keywords that say nothing about the value as a whole that could change it, or ask where it stands. */
const PLAIN: ReadonlySet<string> = new Set([
  '$defs',
  '$id',
  '$schema',
  'additionalProperties',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'maxProperties',
  'minProperties',
  'patternProperties',
  'properties',
  'readOnly',
  'required',
  'title',
  'type',
  'writeOnly',
])

/**
 * Schemas whose JSON is no longer than this are copied, as Ajv does it: the engine inlines a few calls of a function, and
 * small parts (an amount of money, a point) are what a schema refers to in many places.
 */
const SHORT = 180

/** The keyword `if` adds an error of its own to those of a function that Ajv calls. */
const CLAUSE = /\/(?:then|else)(?:\/|$)/

/** Whether validators under these options may refer to objects by light calls. */
export function allowsDirectRefs(options: ValidatorOptions): boolean {
  const { customOptions, plugins, mode, onCreate } = options
  const isOwn = mode === undefined && onCreate === undefined && plugins.length === 0
  return isOwn && Object.keys(customOptions).every((key) => HARMLESS.has(key))
}

/** Makes an instance of Ajv, none of whose schemas is compiled yet, refer to objects by light calls. */
export function useDirectRefs(ajv: Ajv): void {
  const rule = ajv.RULES.all['$ref']
  if (typeof rule !== 'object') throw new Error('this Ajv has no keyword $ref')
  const definition = rule.definition as KeywordDefinition & { code: Code }
  const { code } = definition
  /** By schema, by the text of the reference: it stands in the paths of errors. */
  const copies = new WeakMap<object, Map<string, SchemaEnv | undefined>>()
  definition.code = function (cxt, type) {
    const target = isPlace(cxt) ? targetOf(cxt) : undefined
    if (target === undefined) return code.call(this, cxt, type)
    call(cxt, target)
  }

  function targetOf({ it, schema: reference }: KeywordCxt): SchemaEnv | undefined {
    const { baseId, schemaEnv, self } = it
    const { root } = schemaEnv
    if (/^#\/?$/.test(reference as string) && baseId === root.baseId) return undefined
    const found = resolveRef.call(self, root, baseId, reference as string)
    if (found === undefined) return undefined
    const schema = found instanceof SchemaEnv ? found.schema : found
    if (!isPlainObject(schema)) return undefined
    if (found instanceof SchemaEnv) return CLAUSE.test(it.errSchemaPath) ? undefined : found
    return isShort(schema) ? undefined : copyOf(schema, reference as string)
  }

  function copyOf(schema: SchemaObject, reference: string): SchemaEnv | undefined {
    let known = copies.get(schema)
    if (known === undefined) copies.set(schema, (known = new Map()))
    if (!known.has(reference)) known.set(reference, compileCopy(schema, reference))
    return known.get(reference)
  }

  /** `undefined` for what Ajv refuses: it says so where it stands, in the words that it has for that place. */
  function compileCopy(schema: SchemaObject, reference: string): SchemaEnv | undefined {
    const env = new SchemaEnv({ schema: schema as AnySchema, schemaPath: reference } as never)
    try {
      return compileSchema.call(ajv, env)
    } catch {
      return undefined
    }
  }
}

/** Where a failure is reported as it is. */
function isPlace({ it }: KeywordCxt): boolean {
  const { compositeRule, createErrors, schemaEnv } = it
  return !compositeRule && createErrors !== false && !schemaEnv.$async
}

function isPlainObject(schema: unknown): schema is SchemaObject {
  if (typeof schema !== 'object' || schema === null) return false
  const { type, $async } = schema as SchemaObject
  return type === 'object' && !$async && Object.keys(schema).every((key) => PLAIN.has(key))
}

function isShort(schema: SchemaObject): boolean {
  return JSON.stringify(schema).length <= SHORT
}

function call(cxt: KeywordCxt, target: SchemaEnv): void {
  const { data, gen, it } = cxt
  const { errors, instancePath, vErrors } = names.default
  const validate = _`${gen.scopeValue('wrapper', { ref: DirectRef.of(target) })}.validate`
  const path = strConcat(instancePath, it.errorPath)
  gen.if(_`!${validate}(${data})`, () => {
    if (it.allErrors) {
      const move = gen.scopeValue('func', { ref: collectWithin })
      gen.assign(vErrors, _`${move}(${vErrors}, ${validate}.errors, ${path})`)
      gen.assign(errors, _`${vErrors}.length`)
    } else {
      const move = gen.scopeValue('func', { ref: within })
      gen.assign(_`${it.validateName}.errors`, _`${move}(${validate}.errors, ${path})`)
      gen.return(false)
    }
  })
  cxt.ok(true)
}
