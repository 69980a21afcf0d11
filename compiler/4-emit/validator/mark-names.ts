import type { Ajv } from 'ajv'
import { ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import type { RecordingAjv } from '../values/recording-ajv.ts'
import { PATH } from './schema-part.ts'

/** An instance of Ajv that marks its names for values outside of a function, so that `link.ts` finds them in code. */
export interface MarkedAjv {
  readonly ajv: Ajv & Partial<Pick<RecordingAjv, 'made' | 'added'>>
  /** The end of each name: `schema11$mark$`. */
  readonly mark: string
  /** All names so far, with their values. */
  readonly names: ReadonlyMap<string, ValueScopeName>
}

/** @param texts the JSON of the schemas to be compiled. None of them contains the mark */
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
  return { ajv, mark, names }
}

function markFor(texts: readonly string[]): string {
  let mark = '$mark$'
  for (let i = 1; texts.some((text) => text.includes(mark)); i++) mark = `$mark${i}$`
  return mark
}

/** A marked name in generated code. */
interface Mention {
  /** The name up to the mark. */
  readonly stem: string
  /** The properties that follow. */
  readonly path: string
  readonly at: number
  readonly behind: number
}

/** Finds marked names in code. */
export function* mentionsIn(text: string, mark: string): Iterable<Mention> {
  let end = 0
  for (let found = text.indexOf(mark); found !== -1; found = text.indexOf(mark, end)) {
    let at = found
    while (at > end && /[\w$]/.test(text.charAt(at - 1))) at--
    PATH.lastIndex = end = found + mark.length
    const path = PATH.exec(text)?.[0] ?? ''
    end += path.length
    yield { stem: text.slice(at, found), path, at, behind: end }
  }
}
