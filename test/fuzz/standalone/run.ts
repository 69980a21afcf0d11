/** Holds what is emitted to what `ajv/dist/standalone` writes, as far as that can express a schema. */
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { createStandalone } from '../../support/compile-oracle.ts'
import { origins } from '../profiles.ts'
import { compareStandalone, type Difference, type Pair } from './compare.ts'
import type { Source } from './sources.ts'

export interface Totals {
  /** Schemas that were compiled in both ways, and the values that both were given. */
  readonly schemas: number
  readonly values: number
  /** Schemas that Ajv refuses, in both ways. */
  readonly refused: number
  /** How many schemas are emitted that standalone has no code for, by what it says. */
  readonly lost: ReadonlyMap<string, number>
  readonly differences: readonly Difference[]
}

/** The same sources give the same totals. */
export function holdToStandalone(sources: Iterable<Source>): Totals {
  const lost = new Map<string, number>()
  const differences: Difference[] = []
  const sums = { schemas: 0, values: 0, refused: 0 }
  for (const source of sources) {
    const { pairs, ...found } = compiled(source)
    for (const loss of found.lost) lost.set(loss, (lost.get(loss) ?? 0) + 1)
    sums.refused += found.refused
    sums.schemas += pairs.length
    sums.values += pairs.reduce((sum, { inputs }) => sum + inputs.length, 0)
    differences.push(...compareStandalone(pairs))
  }
  return { ...sums, lost, differences }
}

interface Compiled {
  readonly pairs: readonly Pair[]
  readonly lost: readonly string[]
  readonly refused: number
}

function compiled({ externals, options, schemas }: Source): Compiled {
  const emitter = createEmitter({ origins })
  const write = attempt(() => createStandalone({ externals, options }))
  const pairs: Pair[] = []
  const lost: string[] = []
  let refused = 0
  for (const { name, schema, inputs } of schemas) {
    const unit = { kind: 'validator' as const, digest: '', schema, externals, options }
    const emitted = attempt(() => emitter.emit(unit))
    const standalone = attempt(() => {
      if (write instanceof Error) throw write
      return write(schema)
    })
    // What Ajv refuses is refused in both ways; `npm run fuzz` compares the messages.
    if (emitted instanceof Error) refused++
    else if (standalone instanceof Error) lost.push(standalone.message.replace(/\d+/, ''))
    else pairs.push({ name, emitted, inputs, standalone })
  }
  return { pairs, lost, refused }
}

function attempt<T>(action: () => T): T | Error {
  try {
    return action()
  } catch (error) {
    return error as Error
  }
}
