/**
 * Turns functions that Ajv compiled in memory into statements.
 *
 * `ajv/dist/standalone` loses formats and keywords that are functions, and its names depend on what the instance compiled before.
 * This module looks at the values: it recognises built-in ones, writes data as literals, and numbers names in the order of their
 * use.
 */
import type { AnyValidateFunction } from 'ajv/dist/types/index.js'
import type { Name } from 'ajv/dist/compile/codegen/code.js'
import type { ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import { compact, type Calling } from '../text/compact.ts'
import { EmitError } from '../errors.ts'
import { knownName } from '../values/known-values.ts'
import { DirectRef } from './direct-refs.ts'
import { mentionsIn, partOf, type MarkedAjv } from './mark-names.ts'
import type { MemoryValue } from '../values/emitted-code.ts'
import { literal, property, statelessRegExp } from '../../util/literal.ts'

export interface Linker {
  /** Adds a compiled function and everything that it refers to. Returns its name in the statements. */
  add(validate: AnyValidateFunction): string
  /** Returns the statements that define everything added: variables and constants, then functions. */
  statements(): string
  /** Names taken from `framework/internal`. */
  readonly imports: ReadonlySet<string>
  readonly memoryValues: readonly MemoryValue[]
}

const { hasOwnProperty } = Object.prototype

/** Uses of the Ajv instance in generated code: for `$comment`, and as `this` of functions. */
const SELF = /\bself\.(?:logger|opts)\.|\.call\(self[,)]/

/** Precedes the name where a function is declared. */
const DECLARATION = 'function '
/** Follows `.errors` where a function sets its errors. */
const ASSIGNMENT = /^ ?=[^=]/

export function createLinker({ ajv, mark, names }: MarkedAjv): Linker {
  const imports = new Set<string>()
  const memoryValues: MemoryValue[] = []
  const counters = new Map<string, number>()
  const functions: Record<Calling, Map<AnyValidateFunction, { name: string; code: string }>> = {
    plain: new Map(),
    direct: new Map(),
  }
  const constants = new Map<string, string>()
  const undeclaredNames = new Set<string>()
  // The application may have changed the code in any way.
  const isProcessed = ajv.opts.code.process !== undefined
  return { add, statements, imports, memoryValues }

  function add(validate: AnyValidateFunction, calling: Calling = 'plain'): string {
    const existing = functions[calling].get(validate)
    if (existing !== undefined) return existing.name
    const entry = { name: fresh(calling === 'plain' ? 'validate' : 'check'), code: '' }
    functions[calling].set(validate, entry)
    const text = String(validate)
    const { validateName } = validate.schemaEnv
    // A function that takes the value alone calls its plain form, to which it passes the place of the value.
    const linked = link(text, validateName, (isCall) =>
      isCall && calling === 'direct' ? add(validate) : entry.name,
    )
    const compacted = isProcessed
      ? { code: linked, imports: [], undeclared: [] }
      : compact(linked, Boolean(ajv.opts.allErrors), calling)
    const { code, undeclared } = compacted
    entry.code = code
    for (const name of compacted.imports) imports.add(name)
    for (const name of undeclared) undeclaredNames.add(name)
    if (SELF.test(text)) useSelf()
    const { evaluated } = validate
    if (evaluated !== undefined) entry.code += `${entry.name}.evaluated=${literal(evaluated)};`
    return entry.name
  }

  /**
   * Replaces marked names by expressions for their values.
   *
   * @param ajvName Ajv's name of the function itself, which its code uses to set its errors and to call itself
   * @param emittedName returns its name in the statements
   */
  function link(text: string, ajvName?: Name, emittedName?: (isCall: boolean) => string): string {
    let linked = ''
    let end = 0
    for (const { stem, path, at, behind } of mentionsIn(text, mark)) {
      linked += text.slice(end, at) + textFor(stem, path, at, behind)
      end = behind
    }
    return linked + text.slice(end)

    function textFor(stem: string, path: string, at: number, behind: number): string {
      const name = names.get(stem + mark)
      if (name === undefined) throw new EmitError(`the generated code has no value "${stem}"`)
      if (name !== ajvName || emittedName === undefined) return expression(name, path)
      const isDeclaration = text.startsWith(DECLARATION, at - DECLARATION.length)
      const setsErrors = path === '.errors' && ASSIGNMENT.test(text.slice(behind, behind + 3))
      return emittedName(!isDeclaration && !setsErrors) + path
    }
  }

  /** Returns an expression for a value outside of the function, followed by a path into it. */
  function expression(name: ValueScopeName, path: string): string {
    const value = name.value?.ref
    switch (name.prefix) {
      case 'schema':
        return schemaPart(value, path)
      case 'root':
      case 'wrapper':
        // An argument of `$comment`.
        if (path.startsWith('.schema')) {
          return schemaPart((value as { schema: unknown }).schema, path.slice('.schema'.length))
        }
        return compiling(value) + path.slice('.validate'.length)
      case 'pattern':
        return pattern(name, value) + path
    }
    if (isCompiled(value)) return add(value) + path
    if (value === hasOwnProperty) return `Object.prototype.hasOwnProperty${path}`
    const imported = knownName(value)
    if (imported !== undefined) {
      imports.add(imported)
      return imported + path
    }
    if (typeof value === 'function') return addMemoryValue(name, value) + path
    if (value instanceof RegExp) return constant(name.prefix, statelessRegExp(value)) + path
    if (name.prefix === 'formats') return formats(name, value as object, path)
    return constant(name.prefix, literal(value)) + path
  }

  /** Returns a regular expression, or what the option `code.regExp` makes instead. */
  function pattern({ prefix, value }: ValueScopeName, ref: unknown): string {
    const isPlain = ref instanceof RegExp
    const code = isPlain ? statelessRegExp(ref) : link(String(value?.code))
    return constant(prefix, code)
  }

  /** Adds a function that wasn't finished when the code that refers to it was written. */
  function compiling(value: unknown): string {
    const { validate } = value as { validate?: AnyValidateFunction }
    if (validate === undefined) throw new EmitError('a referenced schema was not compiled')
    return add(validate, value instanceof DirectRef ? 'direct' : 'plain')
  }

  function schemaPart(schema: unknown, path: string): string {
    const { part, rest } = partOf(schema, path)
    const isShort = part === null || typeof part !== 'object'
    return (isShort ? literal(part) : constant('schema', literal(part))) + rest
  }

  /** `{ validate, compare }` or the table that `$data` looks a format up in, and a path into it. */
  function formats(name: ValueScopeName, value: object, path: string): string {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === null) return constant(name.prefix, formatTable(name, value)) + path
    const { validate } = value as { validate?: unknown }
    if (!(validate instanceof RegExp) || !path.startsWith('.validate'))
      return addMemoryValue(name, value) + path
    return constant(name.prefix, statelessRegExp(validate)) + path.slice('.validate'.length)
  }

  function formatTable(name: ValueScopeName, table: object): string {
    const fields = Object.entries(table).map(([format, definition]: [string, unknown]) => {
      const imported = knownName(definition)
      if (imported !== undefined) imports.add(imported)
      const text = imported ?? formatInTable(name, definition, format)
      return `${property(format)}:${text}`
    })
    return `{${['__proto__:null', ...fields].join(',')}}`
  }

  function formatInTable(name: ValueScopeName, definition: unknown, format: string): string {
    if (definition === true) return 'true'
    if (definition instanceof RegExp) return statelessRegExp(definition)
    const added = addMemoryValue(name, definition, format)
    const { validate } = definition as { validate?: unknown }
    return validate instanceof RegExp
      ? `{...${added},validate:${statelessRegExp(validate)}}`
      : added
  }

  function addMemoryValue(
    name: ValueScopeName,
    value: unknown,
    key: unknown = name.value?.key,
  ): string {
    const existing = memoryValues.find((other) => other.value === value)
    if (existing !== undefined) return existing.local
    const made = ajv.made?.get(value)
    const local = fresh('user')
    const added = ajv.added?.get(made?.compile ?? value)
    memoryValues.push({
      local,
      value,
      title: titleOf(name, value, made?.keyword ?? key),
      made,
      added,
      isCalledOnAjv: name.prefix !== 'formats' && !ajv.opts.passContext,
    })
    return local
  }

  function useSelf(): void {
    if (memoryValues.some(({ local }) => local === 'self')) return
    memoryValues.push({ local: 'self', value: ajv, title: 'instance of Ajv', isCalledOnAjv: false })
  }

  function constant(prefix: string, text: string): string {
    let local = constants.get(text)
    if (local === undefined) constants.set(text, (local = fresh(prefix)))
    return local
  }

  function fresh(prefix: string): string {
    const count = counters.get(prefix) ?? 0
    counters.set(prefix, count + 1)
    return prefix + String(count)
  }

  function statements(): string {
    const lines = [...undeclaredNames].map((name) => `let ${name};`)
    for (const [text, local] of constants) lines.push(`const ${local}=${text};`)
    for (const { code } of [...functions.plain.values(), ...functions.direct.values()])
      lines.push(code)
    return lines.join('\n')
  }
}

function isCompiled(value: unknown): value is AnyValidateFunction {
  return typeof value === 'function' && 'schemaEnv' in value
}

/** Names for messages by Ajv's prefixes of names. */
const KINDS: Readonly<Record<string, string>> = { formats: 'format', func: 'function' }

function titleOf({ prefix }: ValueScopeName, value: unknown, key: unknown): string {
  const name = typeof key === 'string' ? key : (value as { name?: string }).name
  const kind = KINDS[prefix] ?? prefix
  return name ? `${kind} "${name}"` : `function of a ${kind}`
}
