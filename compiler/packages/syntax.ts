/** Questions about the syntax of JavaScript that take a node alone. */
import { ts } from '#typescript'
import { WHOLE } from './summary.ts'

export function unwrap(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? unwrap(node.expression) : node
}

/** `module.exports = x` is the whole; `exports.x = …` and `anything.x = …` are names. */
export function exportedName(left: ts.PropertyAccessExpression): string {
  return /^(?:module\.exports|(?:module\.)?exports\.default)$/.test(left.getText())
    ? WHOLE
    : left.name.text
}

/** A member's name as text; computed ones are the text of their expression. */
export function nameOf(name: ts.PropertyName): string {
  return ts.isStringLiteralLike(name) || ts.isIdentifier(name) ? name.text : name.getText()
}

export function isExported(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

/** Whether a statement may leave its function without an error. */
export function mayReturn(node: ts.Node): boolean {
  if (ts.isReturnStatement(node)) return true
  // `if (!(this instanceof F)) return new F()` is how functions take calls without `new`.
  if (ts.isIfStatement(node) && /\bthis instanceof\b/.test(node.expression.getText())) return false
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false
  return ts.forEachChild(node, mayReturn) ?? false
}

export function throws(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true
  if (ts.isFunctionLike(node)) return false
  return ts.forEachChild(node, throws) ?? false
}

/** Parses what a package holds; sloppy scripts and ES modules alike. */
export function parseModule(file: string, text: string): ts.SourceFile {
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  return ts.createSourceFile(file, text, options, true, ts.ScriptKind.JS)
}
