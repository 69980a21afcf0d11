/**
 * Functions that the engine reads when they are first called. Of those that Ajv makes here, hardly any ever is: it is their
 * text that is wanted.
 */
import type { Ajv } from 'ajv'
import type { Name } from 'ajv/dist/compile/codegen/code.js'
import { CodeGen } from 'ajv/dist/compile/codegen/index.js'
import type { ScopeValueSets, ValueScope } from 'ajv/dist/compile/codegen/scope.js'
import names from 'ajv/dist/compile/names.js'
import type { AnyValidateFunction } from 'ajv/dist/types/index.js'

type Validate = ((this: unknown, ...given: unknown[]) => unknown) & { errors?: unknown }

/** What Ajv evaluates: constants for what the function refers to, and the function. */
interface Source {
  readonly values: ScopeValueSets
  readonly text: string
}

interface Generator {
  readonly _extScope: ValueScope
  readonly _values: ScopeValueSets
  scopeRefs(name: unknown): unknown
}

/** What stands in the place of the function, and is evaluated at once. */
const STAND_IN = 'self.deferred(scope)'

const texts = new WeakMap<object, string>()
/** What was written last for an instance, by what it keeps values in. */
const written = new WeakMap<ValueScope, Source | undefined>()

/** The text of a function that Ajv made, to the letter. */
export function textOf(validate: AnyValidateFunction): string {
  // What was evaluated has its text (ECMA-262, Function.prototype.toString).
  return texts.get(validate) ?? String(validate)
}

/** Makes an instance of Ajv, whose code nobody else looks at, defer what it compiles from now on. */
export function deferFunctions(ajv: Ajv): void {
  written.set(ajv.scope, undefined)
  Object.assign(ajv, {
    deferred(scope: unknown) {
      const source = written.get(ajv.scope) as Source
      const validate = defer(source, ajv, scope)
      texts.set(validate, source.text)
      return validate
    },
  })
}

/** Makes instances of Ajv hand over what they have written, if they defer it. */
export function handOverCode(): void {
  const { prototype } = CodeGen as unknown as { prototype: Generator }
  prototype.toString = toString
  prototype.scopeRefs = scopeRefs
}

const { toString: write, scopeRefs: refer } = CodeGen.prototype

function toString(this: Generator): string {
  const text = write.call(this)
  const { _extScope: scope } = this
  if (!written.has(scope)) return text
  written.set(scope, { values: this._values, text })
  return STAND_IN
}

/** The same text each time, which the engine knows after the first. */
function scopeRefs(this: Generator, name: unknown): unknown {
  return written.has(this._extScope) ? '' : refer.call(this as unknown as CodeGen, name as Name)
}

function defer({ values, text }: Source, self: Ajv, scope: unknown): Validate {
  let made: Validate | undefined
  return validate

  function validate(this: unknown, ...given: unknown[]): unknown {
    made ??= evaluate()
    const result: unknown = Reflect.apply(made, this, given)
    ;(validate as Validate).errors = made.errors
    return result
  }

  function evaluate(): Validate {
    const constants = String(self.scope.scopeRefs(names.default.scope, values))
    // oxlint-disable-next-line no-new-func -- as Ajv does it, only later
    const make = Function('self', 'scope', `${constants}return ${text}`)
    return (make as (...given: unknown[]) => Validate)(self, scope)
  }
}
