/** Finds the versions of Fastify that the plugins of a package ask for: `fastify` in the options of fastify-plugin. */
import { readFileSync } from 'node:fs'
import { ts } from '#typescript'
import { isPackageCode, parseModule } from './code-sites.ts'
import { packageNameOf } from '../util/paths.ts'
import type { Imports } from './facts.ts'

const WRAPPER = /['"](?:fastify-plugin|framework\/plugin)['"]/

/** The distinct ranges in a package's files, from the one that is imported. */
export function pluginRangesFrom(start: string, imports: Imports): readonly string[] {
  const name = packageNameOf(start)
  const files = new Set([start])
  const ranges = new Set<string>()
  for (const file of files) {
    if (!isPackageCode(file) || packageNameOf(file) !== name) continue
    for (const range of rangesIn(file, readFileSync(file, 'utf8'))) ranges.add(range)
    for (const next of imports.get(file) ?? []) files.add(next)
  }
  return [...ranges]
}

function rangesIn(file: string, text: string): readonly string[] {
  if (!WRAPPER.test(text)) return []
  const source = parseModule(file, text)
  const wrappers = new Set<string>()
  const values = new Map<string, ts.Expression>()
  const found: string[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) && WRAPPER.test(node.moduleSpecifier.getText(source)))
      for (const name of importedNames(node)) wrappers.add(name)
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const { name, initializer } = node
      if (ts.isIdentifier(name)) values.set(name.text, initializer)
      if (ts.isCallExpression(initializer) && WRAPPER.test(initializer.getText(source)))
        for (const one of namesOf(name)) wrappers.add(one)
    }
    if (ts.isCallExpression(node) && isWrapper(node.expression)) {
      const range = rangeIn(node.arguments[1])
      if (range !== undefined) found.push(range)
    }
    ts.forEachChild(node, visit)
  }

  /** `fp`, `(0, fp.default)`, or a call of `require` with the name of the package. */
  function isWrapper(callee: ts.Expression): boolean {
    const text = callee.getText(source)
    const [name = ''] = /\w+(?=(?:\.\w+)?\)?$)/.exec(text) ?? []
    return wrappers.has(name) || (text.startsWith('require(') && WRAPPER.test(text))
  }

  /**
   * Reads the options, or the range itself in their place.
   *
   * @param passed names of variables that led here. They may form a cycle, because variables of all scopes are found by name.
   */
  function rangeIn(
    options: ts.Expression | undefined,
    passed: readonly string[] = [],
  ): string | undefined {
    if (options === undefined) return undefined
    if (ts.isStringLiteralLike(options)) return options.text
    if (ts.isIdentifier(options)) {
      const { text } = options
      return passed.includes(text) ? undefined : rangeIn(values.get(text), [...passed, text])
    }
    if (!ts.isObjectLiteralExpression(options)) return undefined
    const property = options.properties.find((one) => one.name?.getText(source) === 'fastify')
    return property && ts.isPropertyAssignment(property)
      ? rangeIn(property.initializer, passed)
      : undefined
  }
}

function importedNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  const { name, namedBindings } = importClause ?? {}
  const more = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
  return [name, ...more.map((one) => one.name)].flatMap((one) => (one ? [one.text] : []))
}

function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : namesOf(one.name)))
}
