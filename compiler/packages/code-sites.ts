/** Finds where a file generates code: `new Function`, `eval`, `new Ajv`. */
import { ts } from '#typescript'
import { isPackageFile } from '../util/paths.ts'

export interface CodeSite {
  readonly what: string
  /** From 1. */
  readonly line: number
  /** In a `try` whose `catch` doesn't throw: the file has an alternative. */
  readonly isTried: boolean
}

/** Skips most files without parsing them. */
const WORDS = /\bFunction\b|\beval\b|\.constructor\b|[Aa][Jj][Vv]/

/** Ways to the global object. */
const GLOBALS = /^(?:globalThis|global|window|self)\./

/** `Ajv`, `Ajv2020`, `ajv_1.default`; other exports of it, such as `Name`, generate nothing. */
const AJV_CLASS = /^\w*ajv\w*(?:\.default|\.Ajv\w*)?$/i

/** The argument by which old packages get the global object, if there is no `globalThis`. */
const GLOBAL_OBJECT = /^['"`]\s*return this;?\s*['"`]$/

export function codeSitesIn(file: string, text: string): readonly CodeSite[] {
  if (!WORDS.test(text)) return []
  const source = parseModule(file, text)
  const importsAjv = /['"]ajv(?:['"/-])/.test(text)
  /** Variables that contain `Function` or `eval`. */
  const aliases = new Map<string, string>()
  const found: CodeSite[] = []
  visit(source, false)
  return found

  function visit(node: ts.Node, isTried: boolean): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const name = generatorName(node.initializer)
      if (name !== undefined) aliases.set(node.name.text, name)
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) addSite(node, isTried)
    if (ts.isTryStatement(node) && node.catchClause && !throws(node.catchClause.block)) {
      visit(node.tryBlock, true)
      visit(node.catchClause, isTried)
      if (node.finallyBlock) visit(node.finallyBlock, isTried)
      return
    }
    ts.forEachChild(node, (child) => visit(child, isTried))
  }

  function addSite(node: ts.CallExpression | ts.NewExpression, isTried: boolean): void {
    const { expression } = node
    const [only] = node.arguments ?? []
    if (only && GLOBAL_OBJECT.test(only.getText(source))) return
    const isAjv =
      importsAjv && ts.isNewExpression(node) && AJV_CLASS.test(expression.getText(source))
    const name = generatorName(expression) ?? generatorName(callOwner(expression))
    if (name === undefined && !isAjv) return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const generator = name === 'eval' ? 'eval' : 'new Function'
    found.push({ what: isAjv ? 'new Ajv' : generator, line: line + 1, isTried })
  }

  /** `Function`, `globalThis.eval`, `(async () => {}).constructor`, or a variable for one of them. */
  function generatorName(node: ts.Expression | undefined): string | undefined {
    if (node === undefined) return undefined
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'constructor')
      return isFunctionItself(node.expression) ? 'Function' : undefined
    const name = node.getText(source).replace(GLOBALS, '')
    return name === 'Function' || name === 'eval' ? name : aliases.get(name)
  }
}

/** `Function` in `Function.apply(…)`. */
function callOwner(node: ts.Expression): ts.Expression | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined
  return /^(?:apply|bind|call)$/.test(node.name.text) ? node.expression : undefined
}

/** `(async function () {})`, or `Object.getPrototypeOf` of it. */
function isFunctionItself(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isFunctionItself(node.expression)
  if (ts.isCallExpression(node)) {
    const [only] = node.arguments
    const isPrototype = /^(?:Object|Reflect)\.getPrototypeOf$/.test(node.expression.getText())
    return isPrototype && only !== undefined && isFunctionItself(only)
  }
  return ts.isFunctionExpression(node) || ts.isArrowFunction(node)
}

function throws(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true
  return ts.isFunctionLike(node) ? false : (ts.forEachChild(node, throws) ?? false)
}

const JOINED = /\b(?:join|resolve)\(\s*__dirname\s*,([^()]*)\)/g
const BY_URL = /new URL\(\s*(['"`])([^'"`$]*)\1\s*,\s*import\.meta\.url/g

/** Returns the relative paths of scripts that a text may start as worker threads. */
export function threadFiles(text: string): string[] {
  if (!text.includes('worker_threads') || !/\bnew Worker\b/.test(text)) return []
  const joined = [...text.matchAll(JOINED)].map(([, rest = '']) => {
    const parts = [...rest.matchAll(/['"`]([^'"`$]*)['"`]/g)].map(([, part]) => part)
    return parts.join('/')
  })
  const byUrl = [...text.matchAll(BY_URL)].map(([, , path = '']) => path)
  return [...joined, ...byUrl].filter((path) => /\.[cm]?js$/.test(path))
}

/** Parses the file of a package: a script or an ES module. */
export function parseModule(file: string, text: string): ts.SourceFile {
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  return ts.createSourceFile(file, text, options, true, ts.ScriptKind.JS)
}

export function isPackageCode(file: string): boolean {
  return isPackageFile(file) && /\.[cm]?js$/.test(file)
}
