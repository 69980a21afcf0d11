/**
 * Compiles references to object schemas to direct calls.
 *
 * Ajv inlines the schema, or calls its function with everything that any schema may need. An object schema needs the value alone: it
 * isn't coerced, so its parent isn't written to. It becomes one function that other validators share. Callers add the path of the value
 * to errors.
 */
import { _, type Ajv, type AnySchema, type KeywordCxt, type KeywordDefinition } from 'ajv'
import { strConcat } from 'ajv/dist/compile/codegen/code.js'
import { compileSchema, resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js'
import names from 'ajv/dist/compile/names.js'
import { withoutAnnotations } from '../../../runtime/artifact/annotations.ts'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import { collectWithin, within } from '../../../runtime/generated/failure.ts'

type Code = (this: unknown, cxt: KeywordCxt, type?: string) => void
type SchemaObject = Readonly<Record<string, unknown>>

/** Placeholder in the code for a function that is called directly, until it is compiled. */
export class DirectRef {
  readonly target: SchemaEnv
  constructor(target: SchemaEnv) {
    this.target = target
  }

  get validate(): SchemaEnv['validate'] {
    return this.target.validate
  }

  /** Returns the only reference to a target: Ajv gives each value one name, and the target has one already. */
  static of(target: SchemaEnv): DirectRef {
    let ref = directRefs.get(target)
    if (ref === undefined) directRefs.set(target, (ref = new DirectRef(target)))
    return ref
  }
}

const directRefs = new WeakMap<SchemaEnv, DirectRef>()

/** Options that don't affect direct calls. */
const HARMLESS: ReadonlySet<string> = new Set(
  `allErrors coerceTypes messages removeAdditional strict strictNumbers strictSchema
  strictTuples strictTypes allowUnionTypes useDefaults`.split(/\s+/),
)

/** Keywords that neither change the value as a whole nor need its place. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set(
  `$defs $id $schema additionalProperties default definitions deprecated description examples
  maxProperties minProperties patternProperties properties readOnly required title type
  writeOnly`.split(/\s+/),
)

/** Maximum length of the JSON of schemas, without annotations, that stay inlined: the engine inlines few calls of one function, and small schemas have many references. */
const MAX_INLINED = 180

/** In branches of `if`, Ajv adds an error of its own to those of a called function. */
const CLAUSE = /\/(?:then|else)(?:\/|$)/

/** Returns whether validators with these options may use direct calls. */
export function allowsDirectRefs(options: ValidatorOptions): boolean {
  const { customOptions, plugins, mode, onCreate } = options
  const isPlainAjv = mode === undefined && onCreate === undefined && plugins.length === 0
  return isPlainAjv && Object.keys(customOptions).every((key) => HARMLESS.has(key))
}

/** Makes an instance of Ajv compile references to direct calls. None of its schemas may be compiled yet. */
export function useDirectRefs(ajv: Ajv): void {
  const rule = ajv.RULES.all['$ref']
  if (typeof rule !== 'object') throw new Error('this Ajv has no keyword $ref')
  const definition = rule.definition as KeywordDefinition & { code: Code }
  const { code } = definition
  /** By schema, then by the text of the reference, which is part of error paths. */
  const copies = new WeakMap<object, Map<string, SchemaEnv | undefined>>()
  definition.code = function (cxt, type) {
    const target = reportsErrors(cxt) ? targetOf(cxt) : undefined
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
    if (!isObjectSchema(schema)) return undefined
    if (found instanceof SchemaEnv) return CLAUSE.test(it.errSchemaPath) ? undefined : found
    return isShort(schema) ? undefined : copyOf(schema, reference as string)
  }

  function copyOf(schema: SchemaObject, reference: string): SchemaEnv | undefined {
    let byReference = copies.get(schema)
    if (byReference === undefined) copies.set(schema, (byReference = new Map()))
    if (!byReference.has(reference)) byReference.set(reference, compileCopy(schema, reference))
    return byReference.get(reference)
  }

  /** Returns `undefined` for schemas that Ajv refuses: inlined, they get the error of their place. */
  function compileCopy(schema: SchemaObject, reference: string): SchemaEnv | undefined {
    const env = new SchemaEnv({ schema: schema as AnySchema, schemaPath: reference })
    try {
      return compileSchema.call(ajv, env)
    } catch {
      return undefined
    }
  }
}

/** Returns whether errors of a schema are reported unchanged, which isn't so inside of `anyOf` or `not`. */
function reportsErrors({ it }: KeywordCxt): boolean {
  const { compositeRule, createErrors, schemaEnv } = it
  return !compositeRule && createErrors !== false && !schemaEnv.$async
}

function isObjectSchema(schema: unknown): schema is SchemaObject {
  if (typeof schema !== 'object' || schema === null) return false
  const { type, $async } = schema as SchemaObject
  return type === 'object' && !$async && Object.keys(schema).every((key) => PLAIN_KEYWORDS.has(key))
}

function isShort(schema: SchemaObject): boolean {
  return JSON.stringify(withoutAnnotations(schema)).length <= MAX_INLINED
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
