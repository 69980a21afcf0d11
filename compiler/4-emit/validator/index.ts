/** Emits validators as Fastify's Ajv compiles them. */
import type { AnySchema, Logger } from 'ajv'
import type { ValidatorOptions } from '../../../runtime/artifact/index.ts'
import type { ValidatorProfile } from '../../servers/profile.ts'
import { compileWith, createAjv } from './ajv-instance.ts'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import type { KindEmitter } from '../values/emitted-code.ts'
import { createLinker } from './link.ts'
import { allowsDirectRefs } from './direct-refs.ts'
import type { MarkedAjv } from './mark-names.ts'
import { compileMetaFor } from './schema-check.ts'
import { QUIET } from '../values/stub.ts'

export type { Logger }

/** The number of instances to keep for the same options. Each takes about 30 ms to create, and 2 MB. */
const MAX_INSTANCES = 32

export function createValidatorEmitter(
  logger: Logger | undefined,
  profile: ValidatorProfile,
): KindEmitter<ValidatorOptions> {
  const pools = new WeakMap<ValidatorOptions, Map<string, MarkedAjv>>()
  return {
    emit(schema, externals, options) {
      const text = String(JSON.stringify(schema))
      const marked = instanceFor(externals, options, text)
      if (allowsDirectRefs(options)) compileMetaFor(marked.ajv, text)
      return compileWith(marked.ajv, schema, (validate) => {
        const linker = createLinker(marked)
        const name = linker.add(validate)
        return {
          name,
          code: `${linker.statements()}\n${name}.errors=null;`,
          imports: linker.imports,
          memoryValues: linker.memoryValues,
        }
      })
    },
    check({ schema, options }) {
      const { ajv } = instanceFor({}, options as ValidatorOptions, String(JSON.stringify(schema)))
      if (ajv.opts.validateSchema) void ajv.validateSchema(cloneSchema(schema) as AnySchema, true)
    },
  }

  function instanceFor(
    externals: Readonly<Record<string, unknown>>,
    options: ValidatorOptions,
    schemaText: string,
  ): MarkedAjv {
    let pool = pools.get(options)
    if (pool === undefined) pools.set(options, (pool = new Map()))
    const externalsText = JSON.stringify(externals)
    const pooled = pool.get(externalsText)
    // A schema that contains the mark needs an instance with another one.
    if (pooled !== undefined && !schemaText.includes(pooled.mark)) {
      // Moves it to the end: the one that was used least recently is dropped first.
      pool.delete(externalsText)
      pool.set(externalsText, pooled)
      return pooled
    }
    const text = schemaText + externalsText
    const instance = createAjv(externals, options, profile, logger ?? QUIET, text)
    pool.set(externalsText, instance)
    const [oldest] = pool.keys()
    if (pool.size > MAX_INSTANCES) pool.delete(oldest as string)
    return instance
  }
}
