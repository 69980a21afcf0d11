import { Ajv, type AnySchema, type KeywordDefinition } from 'ajv'

/** How a keyword's `compile` came to make a function: called again, it makes it again. */
export interface MadeFunction {
  readonly keyword: string
  readonly compile: (...args: never) => unknown
  readonly schema: unknown
  readonly parentSchema: unknown
  readonly useDefaults: unknown
  /** Whether the schema is one of several, of which not all need to fit. */
  readonly isOneOfSeveral: boolean
}

interface CompileContext {
  readonly opts: { readonly useDefaults?: unknown }
  readonly compositeRule?: boolean
}

type Compile = (
  this: unknown,
  schema: unknown,
  parentSchema: AnySchema,
  context: CompileContext,
) => unknown

/** An Ajv that remembers what the functions of keywords were made from. */
export class RecordingAjv extends Ajv {
  /** Declared only: the constructor of Ajv adds keywords before a field would be set up. */
  declare made: Map<unknown, MadeFunction>

  override addKeyword(...[first, second]: Parameters<Ajv['addKeyword']>): Ajv {
    this.made ??= new Map()
    if (typeof first !== 'string') return super.addKeyword(recording(first, this.made))
    return super.addKeyword(first, second && recording(second, this.made))
  }
}

function recording(
  definition: KeywordDefinition,
  made: Map<unknown, MadeFunction>,
): KeywordDefinition {
  const { compile, keyword } = definition as { compile?: Compile; keyword: string | string[] }
  if (typeof compile !== 'function') return definition
  const recorded = {
    ...definition,
    compile(this: unknown, schema: unknown, parentSchema: AnySchema, context: CompileContext) {
      const result = compile.call(this, schema, parentSchema, context)
      made.set(result, {
        keyword: String(keyword),
        compile,
        schema,
        parentSchema,
        useDefaults: context.opts.useDefaults,
        isOneOfSeveral: context.compositeRule === true,
      })
      return result
    },
  }
  return recorded as unknown as KeywordDefinition
}
