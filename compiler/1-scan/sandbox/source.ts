import { loadAll, ts } from '../project.ts'
import type { ClassValue, FunctionValue, Value } from '../values/index.ts'
import type { Scope } from '../values/scope.ts'

/** A function or class as JavaScript text, with the values of the variables that it uses. */
export interface ClosureSource {
  readonly text: string
  readonly free: readonly (readonly [string, Value])[]
}

/** What is the same for every value that one piece of source makes. */
interface Written {
  readonly text: string
  readonly names: ReadonlySet<string>
}

/** Programs name the same functions many times, and translating one takes long. */
const written = new WeakMap<ts.Node, Written>()

/** Whether a function or class can be taken out of its place: methods of classes and accessors cannot. */
export function canStandAlone(node: ts.Node): boolean {
  return written.has(node) || textOf(node) !== undefined
}

/** The source of what can stand alone. */
export function sourceOf({ node, scope }: FunctionValue | ClassValue): ClosureSource {
  let known = written.get(node)
  if (known === undefined) {
    known = { text: toJavaScript(textOf(node) ?? ''), names: namesIn(node) }
    written.set(node, known)
  }
  return { text: known.text, free: freeVariables(known.names, scope) }
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node.getText()
  if (ts.isClassExpression(node)) return node.getText()
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return withoutModifiers(node)
  if (ts.isMethodDeclaration(node) && ts.isObjectLiteralExpression(node.parent)) {
    if (!ts.isIdentifier(node.name)) return undefined
    return `({ ${node.getText()} }).${node.name.text}`
  }
  return undefined
}

/** `export default async function f` is a statement; `async function f` is also an expression. */
function withoutModifiers(node: ts.FunctionDeclaration | ts.ClassDeclaration): string {
  const dropped = [
    ts.SyntaxKind.ExportKeyword,
    ts.SyntaxKind.DefaultKeyword,
    ts.SyntaxKind.AbstractKeyword,
  ]
  const last = node.modifiers?.findLast((one) => dropped.includes(one.kind))
  const file = node.getSourceFile()
  return file.text.slice(last === undefined ? node.getStart(file) : last.getEnd(), node.getEnd())
}

function toJavaScript(text: string): string {
  const head = 'export default '
  const { outputText } = loadAll().transpileModule(`${head}(${text})`, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  })
  return outputText.trim().replace(/;$/, '').slice(head.length)
}

function namesIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (part: ts.Node): void => {
    if (ts.isTypeNode(part) && !ts.isExpressionWithTypeArguments(part)) return
    if (ts.isIdentifier(part)) names.add(part.text)
    ts.forEachChild(part, visit)
  }
  visit(node)
  // In a class its name is the class itself.
  if (ts.isClassLike(node)) names.delete(node.name?.text ?? '')
  return names
}

/** Every name in the text that is a variable around it; a few too many do no harm. */
function freeVariables(names: ReadonlySet<string>, scope: Scope): [string, Value][] {
  return [...names].flatMap((name): [string, Value][] => {
    const binding = scope.findLocal(name)
    if (binding === undefined) return []
    const value = binding.read === undefined ? binding.value : binding.read()
    return value === undefined ? [] : [[name, value]]
  })
}
