import { transform } from 'esbuild'
import type { EmittedUnit, PackedUnit } from '../model.ts'

/** Minifies a unit. */
export async function pack(unit: EmittedUnit): Promise<PackedUnit> {
  const { digest, imports, userImports, code, name } = unit
  // An assignment, because a minifier drops an expression that nobody uses.
  const head = 'maker='
  const { code: minified } = await transform(`${head}function () {\n${code}\nreturn ${name}\n}`, {
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  })
  if (!minified.startsWith(head))
    throw new Error(`Unexpected minified code: ${minified.slice(0, 80)}`)
  const maker = minified.slice(head.length).replace(/;?\n$/, '')
  return { digest, imports, userImports, maker, size: code.length }
}
