import type { Ajv } from 'ajv'
import { ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import type { RecordingAjv } from '../values/recording-ajv.ts'

/** An instance of Ajv that marks its names for values outside of a function, so that `link.ts` finds them in code. */
export interface MarkedAjv {
  readonly ajv: Ajv & Partial<Pick<RecordingAjv, 'made' | 'added'>>
  /** The end of each name: `schema11$mark$`. */
  readonly mark: string
  /** All names so far, with their values. */
  readonly names: ReadonlyMap<string, ValueScopeName>
}

/** @param text the JSON of the schemas to be compiled, which doesn't contain the mark */
export function markNames(ajv: Ajv, text: string): MarkedAjv {
  const mark = markFor(text)
  const names = new Map<string, ValueScopeName>()
  const { scope } = ajv
  const createName = scope.name.bind(scope)
  scope.name = (prefix) => {
    const name = new ValueScopeName(prefix, createName(prefix).str + mark)
    names.set(name.str, name)
    return name
  }
  return { ajv, mark, names }
}

function markFor(text: string): string {
  let mark = '$mark$'
  for (let i = 1; text.includes(mark); i++) mark = `$mark${i}$`
  return mark
}

/** Property accesses after the name of a value in generated code. */
const PATH = /(?:\.[A-Za-z_$][\w$]*|\["(?:[^"\\]|\\.)*"\]|\[\d+\])*/y

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

const STEP = /\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*"|\d+)\]/g

/**
 * Follows a path into a value over own properties, so that the code contains only the part that it uses: mostly an `enum` or a `const`.
 *
 * @returns the part and the rest of the path
 */
export function partOf(value: unknown, path: string): { part: unknown; rest: string } {
  let part = value
  let end = 0
  for (const step of path.matchAll(STEP)) {
    const key = step[1] ?? (JSON.parse(step[2] as string) as string | number)
    if (part === null || typeof part !== 'object' || !Object.hasOwn(part, key)) break
    part = (part as Record<string | number, unknown>)[key]
    end = step.index + step[0].length
  }
  return { part, rest: path.slice(end) }
}
