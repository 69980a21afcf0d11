import { parseExpression } from './linear-regex/parse.ts'
import { compileExpression, type Program } from './linear-regex/compile.ts'
import { runProgram } from './linear-regex/run.ts'

/** Finds the parameters of one segment of a path: in linear time, except for what only `allowUnsafeRegex` allows. */
export interface SegmentMatcher {
  /** Returns the segment and its groups, or `null` if it doesn't match. */
  exec(segment: string): readonly (string | undefined)[] | null
}

/** Characters that `.` doesn't match. */
const lineEnd = /[\n\r\u2028\u2029]/

/**
 * Matches `:a-:b.js`: parameters that are followed by these texts. The last text may be empty. The results are those of
 * `^(.*?)-(.*?)\.js$`. There is no need to backtrack: if the
 * rest matches after a later occurrence of a text, it also matches after the first.
 */
export function textMatcher(texts: readonly string[]): SegmentMatcher {
  const last = texts.length - 1
  return {
    exec(segment) {
      const found = [segment]
      let start = 0
      for (const [i, text] of texts.entries()) {
        const end = i < last ? segment.indexOf(text, start) : segment.length - text.length
        if (end < start || (i === last && !segment.endsWith(text))) return null
        const value = segment.slice(start, end)
        if (lineEnd.test(value)) return null
        found.push(value)
        start = end + text.length
      }
      return found
    },
  }
}

/** Compiles an expression. Returns `null` if it can't be matched in linear time, which routers refuse without `allowUnsafeRegex`. */
export function toProgram(source: string): Program | null {
  const expression = parseExpression(source)
  return expression && compileExpression(expression)
}

/** Matches an expression with `RegExp` if it has no program, or one with fewer than two choices: then `RegExp` tries each place only once. */
export function expressionMatcher(source: string, program: Program | null): SegmentMatcher {
  if (program === null || program.choices < 2) return new RegExp(source)
  return { exec: (segment) => runProgram(program, segment) }
}
