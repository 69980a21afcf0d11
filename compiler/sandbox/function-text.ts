/** Takes functions and classes out of their files, as expressions of JavaScript. */
import { loadAll, ts } from '../util/source/project.ts'

interface FunctionText {
  readonly text: string
  /** Variables that it may use. Names of properties may be among them, which does no harm. */
  readonly names: ReadonlySet<string>
}

/** Requests contain the same functions many times, and compiling one to JavaScript takes long. */
const texts = new WeakMap<ts.Node, FunctionText>()

/** Returns whether a function or class can be written as an expression. Methods with `super` and accessors of classes can't, for example. */
export function canStandAlone(node: ts.Node): boolean {
  return texts.has(node) || textOf(node) !== undefined
}

/**
 * Returns a function or class as an expression of JavaScript.
 *
 * @param isLegacy whether decorators follow TypeScript's older semantics
 */
export function functionText(node: ts.Node, isLegacy: boolean): FunctionText {
  let known = texts.get(node)
  if (known === undefined) {
    known = { text: toJavaScript(node, isLegacy), names: namesIn(node) }
    texts.set(node, known)
  }
  return known
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node.getText()
  if (ts.isClassExpression(node)) return node.getText()
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return withoutModifiers(node)
  if (ts.isMethodDeclaration(node)) {
    if (!ts.isIdentifier(node.name) || belongsToClass(node)) return undefined
    return `({ ${withoutModifiers(node)} }).${node.name.text}`
  }
  if (ts.isGetAccessorDeclaration(node) && ts.isObjectLiteralExpression(node.parent)) {
    if (ts.isComputedPropertyName(node.name)) return undefined
    const name = JSON.stringify(node.name.text)
    return `Object.getOwnPropertyDescriptor({ ${node.getText()} }, ${name}).get`
  }
  return undefined
}

/** Checks for what ties a method to its class or object: `super`, private members, decorators. */
function belongsToClass(node: ts.Node): boolean {
  const { SuperKeyword, PrivateIdentifier, Decorator } = ts.SyntaxKind
  return (
    [SuperKeyword, PrivateIdentifier, Decorator].includes(node.kind) ||
    ts.forEachChild(node, belongsToClass) === true
  )
}

/** Returns a declaration without modifiers such as `export default` and `static`, so that it is an expression as well. */
function withoutModifiers(
  node: ts.FunctionDeclaration | ts.ClassDeclaration | ts.MethodDeclaration,
): string {
  const kept = [ts.SyntaxKind.AsyncKeyword, ts.SyntaxKind.Decorator]
  const last = node.modifiers?.findLast(({ kind }) => !kept.includes(kind))
  const file = node.getSourceFile()
  return file.text.slice(last === undefined ? node.getStart(file) : last.getEnd(), node.getEnd())
}

function toJavaScript(node: ts.Node, isLegacy: boolean): string {
  const text = textOf(node) ?? ''
  const head = 'export default '
  // The older decorators are statements after the class.
  const isStatement = ts.isClassDeclaration(node) && node.name !== undefined && isLegacy
  const source = isStatement ? `${text}\n${head}${node.name.text}` : `${head}(${text})`
  const { outputText } = loadAll().transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      ...(isLegacy && { experimentalDecorators: true, emitDecoratorMetadata: true }),
    },
  })
  const output = outputText.trim().replace(/;$/, '')
  // Helpers of TypeScript, such as that of `using`, come before it.
  const start = isStatement ? output.lastIndexOf(head) : output.indexOf(head)
  const value = output.slice(start + head.length)
  return start === 0 ? value : `(() => { ${output.slice(0, start)}return ${value}\n})()`
}

function namesIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>()
  const isDecorated = ts.isClassLike(node) && node.getText().includes('@')
  const visit = (part: ts.Node): void => {
    // Decorators may get types as values.
    const isType = ts.isTypeNode(part) && !ts.isExpressionWithTypeArguments(part)
    if (isType && !(isDecorated && part.kind === ts.SyntaxKind.TypeReference)) return
    if (ts.isIdentifier(part)) names.add(part.text)
    ts.forEachChild(part, visit)
  }
  visit(node)
  // Inside of a class, its name refers to the class itself.
  if (ts.isClassLike(node)) names.delete(node.name?.text ?? '')
  return names
}
