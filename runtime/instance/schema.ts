import { assertNotStarted, contextOf } from '../context/index.ts'
import type {
  Instance,
  ReplySerializer,
  SerializerCompiler,
  ValidatorCompiler,
} from '../serve/model.ts'
import { assertSchemaErrorFormatter } from '../context/options.ts'
import { replaceSchemaController, type SchemaControllerOptions } from '../context/schema.ts'

type SchemaGetters = {
  getSchema: (id: string) => unknown
  getSchemas: () => Record<string, unknown>
}

/** Adds `getSchema` and `getSchemas`, which work without `this`. */
export function bindSchemaGetters(instance: Instance): void {
  const { schemas } = contextOf(instance)
  const target = instance as unknown as SchemaGetters
  target.getSchema = (id) => schemas.getSchema(id)
  target.getSchemas = () => schemas.getSchemas()
}

export const schemaMethods: Record<string, unknown> = {
  addSchema<This extends Instance>(this: This, schema: object): This {
    assertNotStarted(this, 'addSchema')
    const context = contextOf(this)
    context.schemas.add(schema)
    for (const child of context.children) child.instance.addSchema(schema)
    return this
  },

  setValidatorCompiler<This extends Instance>(this: This, compiler: ValidatorCompiler): This {
    assertNotStarted(this, 'setValidatorCompiler')
    const { schemas } = contextOf(this)
    schemas.validator.set(compiler)
    schemas.isCustomValidator = true
    return this
  },

  setSerializerCompiler<This extends Instance>(this: This, compiler: SerializerCompiler): This {
    assertNotStarted(this, 'setSerializerCompiler')
    contextOf(this).schemas.serializer.set(compiler)
    return this
  },

  setSchemaController<This extends Instance>(this: This, options?: SchemaControllerOptions): This {
    assertNotStarted(this, 'setSchemaController')
    const context = contextOf(this)
    context.schemas = replaceSchemaController(context.schemas, options ?? {})
    bindSchemaGetters(this)
    return this
  },

  setReplySerializer<This extends Instance>(this: This, serializer: ReplySerializer): This {
    assertNotStarted(this, 'setReplySerializer')
    contextOf(this).replySerializer = serializer
    return this
  },

  setSchemaErrorFormatter<This extends Instance>(this: This, formatter: unknown): This {
    assertNotStarted(this, 'setSchemaErrorFormatter')
    assertSchemaErrorFormatter(formatter)
    contextOf(this).schemaErrorFormatter = formatter.bind(this)
    return this
  },
}
