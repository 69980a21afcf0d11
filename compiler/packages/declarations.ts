import { ts } from '#typescript'
import { isFunction } from './names.ts'
import type { Names } from './names.ts'

/** Declares all variables of a function or of a module, but for those of functions inside of it. */
export function declareAll(body: ts.Node, names: Names): void {
  ts.forEachChild(body, visit)

  function visit(node: ts.Node): void {
    if (ts.isFunctionDeclaration(node)) {
      if (node.name !== undefined) names.declare(node.name.text, node)
      return
    }
    if (ts.isClassDeclaration(node)) {
      if (node.name !== undefined) names.declare(node.name.text, node)
      return
    }
    if (isFunction(node) || ts.isClassLike(node)) return
    if (ts.isImportDeclaration(node)) {
      declareImport(node, names)
      return
    }
    if (ts.isVariableDeclaration(node)) declareVariable(node, names)
    ts.forEachChild(node, visit)
  }
}

/** Parameters, of which nobody knows what they are. */
export function declareParameters(node: ts.FunctionLikeDeclaration, names: Names): void {
  for (const { name } of node.parameters) declareOpaque(name, names)
  if (ts.isFunctionExpression(node) && node.name !== undefined) names.declare(node.name.text, node)
}

function declareImport(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  names: Names,
): void {
  const specifier = (moduleSpecifier as ts.StringLiteral).text
  const whole = { type: 'import', specifier, name: undefined } as const
  if (importClause?.name !== undefined) names.declare(importClause.name.text, whole)
  const bindings = importClause?.namedBindings
  if (bindings === undefined) return
  if (ts.isNamespaceImport(bindings)) {
    names.declare(bindings.name.text, whole)
    return
  }
  for (const { name, propertyName } of bindings.elements) {
    const imported = (propertyName ?? name).text
    const isWhole = imported === 'default'
    names.declare(name.text, { ...whole, name: isWhole ? undefined : imported })
  }
}

function declareVariable({ name, initializer }: ts.VariableDeclaration, names: Names): void {
  if (ts.isIdentifier(name)) {
    // A module that is only declared gets its value elsewhere.
    names.declare(name.text, initializer)
    return
  }
  const specifier =
    initializer !== undefined && ts.isCallExpression(initializer)
      ? names.requiredBy(initializer)
      : undefined
  if (specifier === undefined || !ts.isObjectBindingPattern(name)) {
    declareOpaque(name, names)
    return
  }
  for (const element of name.elements) {
    const key = element.propertyName ?? element.name
    if (!ts.isIdentifier(element.name)) declareOpaque(element.name, names)
    else if (ts.isIdentifier(key)) {
      const imported = key.text === 'default' ? undefined : key.text
      names.declare(element.name.text, { type: 'import', specifier, name: imported })
    }
  }
}

function declareOpaque(name: ts.BindingName, names: Names): void {
  if (ts.isIdentifier(name)) {
    names.declare(name.text, undefined)
    return
  }
  for (const element of name.elements) {
    if (!ts.isOmittedExpression(element)) declareOpaque(element.name, names)
  }
}
