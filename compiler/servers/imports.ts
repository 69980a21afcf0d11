/** Finds the imports of a module in its text, without parsing it. */

interface NamedImport {
  readonly specifier: string
  /** True if only names of types follow `import`, whose import compilers remove. */
  readonly isOfTypes: boolean
  readonly isRequired: boolean
}

/** Strings come first, because they may contain what looks like a comment. */
const COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/.*|\/\*[^]*?\*\//g

/** `import … from`, `export … from`, `import '…'`, `import()` and `require()`, but not `import type`. */
const IMPORT =
  /\b(?:(?:import\b\s*(?!type\s+(?!from\b))(?=[\w$*{])|export\s*(?=[*{]))((?:(?!\b(?:import|export)\b)[^'"`;()])*?)\bfrom|import|(require)\s*\(|import\s*\()\s*(['"`])([^'"`$\n]+)\3/g

/** Names of types begin with a capital letter in the packages for which this matters. `\b`: a name isn't tried as several, which may take minutes. */
const TYPES = /^\{(?:[\s,]*(?:type\s+\w+|[A-Z]\w*)\b(?:\s+as\s+\w+\b)?)*[\s,]*\}\s*$/

export function importsIn(text: string): readonly NamedImport[] {
  const code = text.replace(COMMENT, '$1')
  return [...code.matchAll(IMPORT)].map(([, names = '', required, , specifier = '']) => ({
    specifier,
    isOfTypes: TYPES.test(names),
    isRequired: required !== undefined,
  }))
}

/** Returns whether a module imports more than types from the package `name`. */
export function importsValueOf(text: string, name: string): boolean {
  return importsIn(text).some(({ specifier, isOfTypes }) => specifier === name && !isOfTypes)
}
