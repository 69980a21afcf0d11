import { ts } from '../project.ts'

export function usesModuleSyntax(source: ts.SourceFile): boolean {
  return source.statements.some(
    (one) =>
      ts.isImportDeclaration(one) || ts.isExportDeclaration(one) || ts.isExportAssignment(one),
  )
}

/** The names that an `export const`, `export function`… statement exports. */
export function declaredExports(statement: ts.Statement): { name: string; local: string }[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  if (!modifiers.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations
      .flatMap(({ name }) => boundNames(name))
      .map((name) => ({ name, local: name }))
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return []
  const isDefault = modifiers.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword)
  const name = 'name' in statement ? (statement.name as ts.Node | undefined) : undefined
  const local = name !== undefined && ts.isIdentifier(name) ? name.text : 'default'
  return [{ name: isDefault ? 'default' : local, local }]
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(element.name) : [],
  )
}
