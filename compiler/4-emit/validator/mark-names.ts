import type { Ajv } from 'ajv'
import { ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import type { RecordingAjv } from '../values/recording-ajv.ts'

/** An instance of Ajv whose names for values outside of a function can be told from anything else. */
export interface MarkedAjv {
  readonly ajv: Ajv & Partial<Pick<RecordingAjv, 'made' | 'added'>>
  /** Ends each of those names (`schema11`, `pattern0`). */
  readonly mark: string
  /** Those given so far, with the values that they stand for. */
  readonly names: ReadonlyMap<string, ValueScopeName>
  /** Forgets names and values. What is compiled by then must be of no use any more. */
  forget(): void
}

/** @param texts the JSON of what will be compiled: the mark occurs in none of them */
export function markNames(ajv: Ajv, ...texts: readonly string[]): MarkedAjv {
  const mark = markFor(texts)
  const names = new Map<string, ValueScopeName>()
  const { scope } = ajv
  const give = scope.name.bind(scope)
  scope.name = (prefix) => {
    const name = new ValueScopeName(prefix, give(prefix).str + mark)
    names.set(name.str, name)
    return name
  }
  return { ajv, mark, names, forget }

  function forget(): void {
    names.clear()
    Object.assign(scope, { _names: {}, _values: {} })
  }
}

function markFor(texts: readonly string[]): string {
  let mark = '$mark$'
  for (let i = 1; texts.some((text) => text.includes(mark)); i++) mark = `$mark${i}$`
  return mark
}
