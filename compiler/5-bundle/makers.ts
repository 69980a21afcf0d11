import { transform } from 'esbuild'
import type { EmittedUnit } from '../model.ts'

/**
 * The code of a unit as an expression: a function without parameters that makes the compiled function. Its free
 * names are those of `unit.imports` and the locals of `unit.userImports`.
 */
export async function createMaker({ code, name }: EmittedUnit): Promise<string> {
  // An assignment, because a minifier drops an expression that nobody uses.
  const head = 'maker='
  const { code: minified } = await transform(`${head}function () {\n${code}\nreturn ${name}\n}`, {
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  })
  if (!minified.startsWith(head))
    throw new Error(`Unexpected minified code: ${minified.slice(0, 80)}`)
  return minified.slice(head.length).replace(/;?\n$/, '')
}
