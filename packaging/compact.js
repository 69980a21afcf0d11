/** Makes what every start reads small, and quick to read. */
import { readFileSync } from 'node:fs'
import MagicString from 'magic-string'
import { minify } from 'terser'

/**
 * Node parses the whole text at every start: half of it is comments, blanks and long names. The names of
 * functions and classes and short lines stay, for what Node prints of an uncaught error.
 */
export const compact = {
  name: 'compact',
  renderChunk: async (code, chunk, { format }) => {
    const { code: text, map } = await minify(code, {
      module: format === 'es',
      toplevel: true,
      ecma: 2020,
      keep_fnames: true,
      keep_classnames: true,
      // Or a function that is called in one place becomes an expression there: a new object with each call.
      compress: { reduce_vars: false },
      // Node reads text in ASCII with half the memory.
      format: { max_line_len: 120, ascii_only: true },
      sourceMap: true,
    })
    return { code: text, map }
  },
}

/** Names of the functions that every start calls: `npm run bench:start-functions` writes them down. */
const startFunctions = new Set(JSON.parse(readFileSync('start-functions.json', 'utf8')))

/**
 * V8 compiles a function in parentheses together with the file, and others with their first call, after it has read
 * them once for nothing. So those that every start calls become such expressions. They stand before everything else
 * but `'use strict'`, as declarations are there before everything else.
 */
export const eager = {
  name: 'eager',
  renderChunk(code) {
    const text = new MagicString(code)
    const { body } = this.parse(code)
    const front = body[0]?.directive ? body[0].end : 0
    for (const { type, id, start, end } of body) {
      if (type !== 'FunctionDeclaration' || !startFunctions.has(id.name)) continue
      text.remove(id.start, id.end)
      if (start > front) text.move(start, end, front)
      text.prependRight(start, `var ${id.name}=(`).appendLeft(end, ');\n')
    }
    return { code: text.toString(), map: text.generateMap({ hires: true }) }
  },
}
