/** Terms that have no value in the sandbox, and definitions that have none because of them. */
import { describeEnvironment, environmentOf } from './environment.ts'
import type { Definition, Never, Term } from './protocol.ts'

export function never(why: string): Never {
  return { t: 'never', why }
}

/**
 * Returns why a definition can't have a value, if it reads something that exists only in the running application. The sandbox describes
 * what depends on the environment: it merges variables.
 */
export function failureOf(definition: Definition | undefined): Never | undefined {
  const failures = termsOf(definition).filter((term) => term.t === 'never')
  return failures.some(({ environment }) => environment !== undefined) ? undefined : failures[0]
}

/** The terms that are read at once, and not only when a function is called. */
function termsOf(definition: Definition | undefined): readonly Term[] {
  switch (definition?.type) {
    case 'await':
      return [definition.operand]
    case 'code':
      return definition.operands
    case 'array':
      return definition.items
    case 'object':
      return [
        ...(definition.base ? [definition.base] : []),
        ...definition.members.map(([, value]) => value),
      ]
    default:
      return []
  }
}

/** @param variables names of environment variables; none means the whole environment */
export function ofEnvironment(variables: readonly string[]): Never {
  const environment = environmentOf(variables)
  return { t: 'never', why: describeEnvironment(environment), environment }
}

export const undecided: Never = {
  t: 'never',
  why: 'it depends on a condition that only the running application knows',
  undecided: true,
}

/** Source of functions that create a collection. */
export const collectionCode: Readonly<Record<'map' | 'set' | 'iterator', string>> = {
  map: '(...entries) => new Map(entries)',
  set: '(...entries) => new Set(entries)',
  iterator: '(of, by) => of[by]()',
}

/** Defines a function of a global, such as `Object.keys`, or of `node:path` or `node:url`. The sandbox has no others. */
export function nativeFunction(name: string, importer: string): Definition | undefined {
  const [, module, member] = /^(path|url)\.(\w+)$/.exec(name) ?? []
  const [global = ''] = name.split('.')
  if (module !== undefined && member !== undefined) {
    const source = { specifier: `node:${module}`, importer, name: member, required: true }
    return { type: 'import', ...source, file: undefined }
  }
  return global in globalThis ? { type: 'code', code: `() => ${name}`, operands: [] } : undefined
}

export const madeTooLate: Definition = {
  type: 'await',
  operand: never('the build has made a later call that may change what it reads'),
}

/** A package may read an object during the call or later: its state then isn't known. */
export const changedLater = 'an object that was handed to a package is changed afterwards'

/** Methods of schema builders that set an annotation. */
export const annotationMethods: ReadonlySet<string> = new Set(['describe', 'description', 'title'])
