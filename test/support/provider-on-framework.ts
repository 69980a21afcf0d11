/**
 * In place of Fastify in the provider's tests: `framework/5` with the artifact `ARTIFACT`. Writes a line to `RECORD` for each value that a parser gets: `parsed`, or
 * `left` for what it leaves to the type.
 */
import { appendFileSync } from 'node:fs'
import framework from 'framework/5'
import type { Artifact, TakeOption } from '../../runtime/artifact/index.ts'
import { ZOD_INVALID } from '../../runtime/generated/zod.ts'

type Parser = ((value: unknown) => unknown) & { readonly encodes?: true | undefined }

const { ARTIFACT, RECORD } = process.env as Readonly<Record<string, string>>
const { default: original } = (await import(ARTIFACT as string)) as { readonly default: Artifact }
const artifact = {
  ...original,
  load(digest: string, take: TakeOption): Parser {
    const parse = original.load(digest, take) as Parser
    const counting = (value: unknown): unknown => {
      const result = parse(value)
      appendFileSync(RECORD as string, result === ZOD_INVALID ? 'left\n' : 'parsed\n')
      return result
    }
    return Object.assign(counting, { encodes: parse.encodes })
  },
}

export default function createApp(options: object = {}): unknown {
  return framework({ ...options, aot: { artifact: artifact as never } })
}
