import { transform } from 'esbuild'
import type { PackedUnit, SeparatedUnit, SharedFunction } from '../model.ts'

/** Minifies units, and each shared function once. */
export function createPacker(): (unit: SeparatedUnit) => Promise<PackedUnit> {
  const minified = new Map<string, Promise<SharedFunction>>()
  return pack

  async function pack(unit: SeparatedUnit): Promise<PackedUnit> {
    const { digest, imports, userImports, rehearsals, code, result, uses } = unit
    const shared = unit.shared.map(packShared)
    const maker = await minify(`() => {\n${code}\nreturn ${result}\n}`)
    const size = code.length
    return {
      digest,
      imports,
      userImports,
      ...(rehearsals && { rehearsals }),
      maker,
      size,
      uses,
      shared: await Promise.all(shared),
    }
  }

  function packShared(one: SharedFunction): Promise<SharedFunction> {
    let known = minified.get(one.name)
    if (known === undefined) {
      known = minify(one.code).then((code) => ({ ...one, code }))
      minified.set(one.name, known)
    }
    return known
  }
}

/** Minifies an expression. */
async function minify(expression: string): Promise<string> {
  // An assignment, because a minifier drops an expression that nobody uses.
  const head = 'maker='
  const { code } = await transform(head + expression, {
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  })
  if (!code.startsWith(head)) throw new Error(`Unexpected minified code: ${code.slice(0, 80)}`)
  return code.slice(head.length).replace(/;?\n$/, '')
}
