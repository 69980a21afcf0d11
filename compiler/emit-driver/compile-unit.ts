/** Compiles a unit: emits its code, takes out what other units may share, and minifies both. The result depends on the unit alone. */
import { minifySync, type MinifyOptions } from 'oxc-minify'
import { EmitError, extractSharedFunctions, type Emitter } from '../4-emit/index.ts'
import type {
  CompileUnit,
  PackedUnit,
  SeparatedFunction,
  SeparatedUnit,
  SharedFunction,
} from '../model/index.ts'

export type Compiled =
  | {
      readonly packed: PackedUnit
      /** A function in it isn't covered by a replay check, so the unit can't be cached. */
      readonly isUnchecked: boolean
    }
  /** The message of the EmitError. */
  | { readonly failure: string }

export type UnitCompiler = (unit: CompileUnit) => Compiled

export function createUnitCompiler(emitter: Pick<Emitter, 'emit'>): UnitCompiler {
  const pack = createPacker()
  return (unit) => {
    try {
      const emitted = emitter.emit(unit)
      return {
        packed: pack(extractSharedFunctions(emitted)),
        isUnchecked: emitted.isUnchecked === true,
      }
    } catch (error) {
      if (!(error instanceof EmitError)) throw error
      return { failure: error.message }
    }
  }
}

/** Minifies units, and each shared function once. */
export function createPacker(): (unit: SeparatedUnit) => PackedUnit {
  const minified = new Map<string, SharedFunction>()
  return pack

  function pack(unit: SeparatedUnit): PackedUnit {
    const { digest, imports, userImports, replayChecks, code } = unit
    return {
      digest,
      imports,
      userImports,
      ...(replayChecks && { replayChecks }),
      maker: `()=>${minify(unit, (body) => `{${body}}`)}`,
      size: code.length,
      shared: unit.shared.map(packShared),
    }
  }

  function packShared(one: SeparatedFunction): SharedFunction {
    let packed = minified.get(one.name)
    if (packed === undefined) {
      const { name, imports } = one
      packed = { name, code: minify(one, (body) => `(()=>{${body}})()`), imports }
      minified.set(name, packed)
    }
    return packed
  }
}

/** Named as CommonJS, where `return` is allowed outside of functions. */
const FILE = 'maker.cjs'

const OPTIONS: MinifyOptions = {
  compress: { target: 'es2022', dropDebugger: false },
  mangle: { toplevel: true },
  codegen: { removeWhitespace: true, legalComments: 'none' },
}

const RETURN = /^return\b *(?<expression>[^]*?);?\n?$/

/**
 * Minifies statements as those of a program, where constants stay constants. Inside of a function the minifier would turn them
 * into variables, which the engine optimizes less.
 *
 * @param enclose turns statements that end with `return` into an expression, or into the body of an arrow function
 */
function minify(
  { code, result }: Pick<SeparatedUnit, 'code' | 'result'>,
  enclose: (body: string) => string,
): string {
  const minified = minifySync(FILE, `${code}\nreturn ${result}`, OPTIONS)
  const [error] = minified.errors
  if (error !== undefined) throw new SyntaxError(error.codeframe ?? error.message)
  const [, expression] = code === '' ? (RETURN.exec(minified.code) ?? []) : []
  return expression ?? enclose(minified.code.replace(/;?\n?$/, ''))
}
