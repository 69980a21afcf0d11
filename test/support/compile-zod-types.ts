/** Setup of Zod's own tests: every type parses with the parser that a build would compile, from its first use on. Counts them in a file. */
import { appendFileSync } from 'node:fs'
import type { Artifact, TakeOption } from '../../runtime/artifact/index.ts'
import type { ZodRun, ZodType } from '../../runtime/artifact/zod-digest.ts'
import { attachParser } from '../../runtime/compiled/zod-parsers.ts'
import * as generated from '../../runtime/generated/zod.ts'
import { compileParser } from '../../compiler/sandbox/schema-libraries/zod/compile.ts'
import type { Parser, ZodCore } from '../../compiler/sandbox/schema-libraries/zod/core.ts'

const { ZOD_CORE, ZOD_COUNT } = process.env as Readonly<Record<string, string>>
const core = (await import(ZOD_CORE as string)) as ZodCore & {
  readonly globalConfig: { postProcessor?: (type: ZodType) => void }
}
/** Tests replace the global one. */
const RealFunction = Function
let isCompiling = false

core.globalConfig.postProcessor = (type) => {
  const live = type._zod?.run as ZodRun | undefined
  if (isCompiling || typeof live !== 'function') return
  const first: ZodRun = (payload, context) => {
    isCompiling = true
    type._zod.run = live
    try {
      const { parser } = compileParser(type, core)
      appendFileSync(ZOD_COUNT as string, parser === undefined ? 'refused\n' : 'compiled\n')
      if (parser !== undefined) {
        const load = (_: string, take: TakeOption): Parser =>
          (
            RealFunction(
              ...Object.keys(generated),
              `return ${parser.maker}`,
            )(...Object.values(generated)) as (take: TakeOption) => Parser
          )(take)
        const has = (digest: string): boolean => digest === parser.digest
        attachParser(type, [{ libraries: { zod: core }, has, load } as unknown as Artifact])
      }
    } finally {
      isCompiling = false
    }
    return type._zod.run(payload, context)
  }
  first.__originalRun = live
  type._zod.run = first
}
