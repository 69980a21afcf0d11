/**
 * Takes the parser out of TypeScript: a build only parses, and to load all nine megabytes takes longer than to build ten
 * routes. Statements that nothing leads to are left out.
 */
import { globSync } from 'tinyglobby'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { transformSync } from 'esbuild'
import { ts } from 'ts-morph'

/** Methods of nodes. TypeScript adds these and more together with its language service. */
const members = `
const methods = {
  getSourceFile() { return getSourceFileOfNode(this) },
  getStart(file, withJsDoc) { return getTokenPosOfNode(this, file, withJsDoc) },
  getEnd() { return this.end },
  getText(file = this.getSourceFile()) { return file.text.slice(this.getStart(file), this.end) },
}
const { getIdentifierConstructor } = objectAllocator
Object.defineProperty(getIdentifierConstructor().prototype, "text", { get() { return idText(this) } })
// It has a place of its own for them, and takes a plain node.
objectAllocator.getPrivateIdentifierConstructor = getIdentifierConstructor
for (const kind of ["Node", "Token", "Identifier"])
  Object.assign(objectAllocator["get" + kind + "Constructor"]().prototype, methods)
class SourceFile extends objectAllocator.getSourceFileConstructor() {
  getLineAndCharacterOfPosition(position) { return getLineAndCharacterOfPosition(this, position) }
}
objectAllocator.getSourceFileConstructor = () => SourceFile
`

/** @param {string} folder with the sources whose \`ts.name\` say what is needed */
export function parserFor(folder) {
  const { license, text } = typeScript()
  const exported = new Map(
    [...text.matchAll(/^ {2}(\w+): \(\) => (\w+),?$/gm)].map(([, name, local]) => [name, local]),
  )
  const needed = namesUsedIn(folder).filter((name) => exported.has(name))
  const entries = needed.map((name) => `${name}:${exported.get(name)}`)
  const end = `${members}exports.ts={${entries.join()}}\nexports.loadAll=()=>require('ts-morph').ts\n`
  const kept = reachedFrom(namesIn(parse(end)), parse(text).statements)
  const code = withoutIdleMessages(kept.map((one) => one.getFullText()).join('')) + end
  return license + transformSync(code, { minify: true, target: 'node20' }).code
}

/** As it lies in ts-morph, without the function around it. */
function typeScript() {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('ts-morph'))
  const text = readFileSync(resolve('@ts-morph/common/dist/typescript.js'), 'utf8')
  const [start, end] = ['((module) => {', '// Annotate the CommonJS']
  return {
    license: text.slice(0, text.indexOf('*/') + '*/\n'.length),
    text: text.slice(text.indexOf(start) + start.length, text.lastIndexOf(end)),
  }
}

function parse(text) {
  return ts.createSourceFile('x.js', text, ts.ScriptTarget.Latest, true)
}

function namesUsedIn(folder) {
  const names = globSync('**/*.ts', { cwd: folder, absolute: true, ignore: 'dist/**' }).flatMap(
    (file) => [...readFileSync(file, 'utf8').matchAll(/\bts\.(\w+)/g)].map(([, name]) => name),
  )
  return [...new Set(names)].sort()
}

/** Returns the statements that declare or change these names, and those that they need. */
function reachedFrom(names, statements) {
  const byName = new Map()
  for (const statement of statements) {
    for (const name of subjectsOf(statement))
      byName.set(name, [...(byName.get(name) ?? []), statement])
  }
  const reached = new Set(names)
  const kept = new Set()
  // A Set iterates over what is added meanwhile.
  for (const name of reached) {
    for (const statement of byName.get(name) ?? []) {
      if (kept.has(statement)) continue
      kept.add(statement)
      for (const other of namesIn(statement)) reached.add(other)
    }
  }
  return statements.filter((statement) => kept.has(statement))
}

/** Returns the names that a statement declares or writes to. */
function subjectsOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => [...namesIn(name)])
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return [statement.name.text]
  return ts.isExpressionStatement(statement) ? [subjectOf(statement.expression)] : []
}

function subjectOf(expression) {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isCallExpression(expression)) {
    const { expression: callee, arguments: given } = expression
    // `((Name) => { … })(Name || (Name = {}))` and `__export(name, { … })`
    const isAbout = ts.isParenthesizedExpression(callee) || callee.getText() === '__export'
    return subjectOf(isAbout && given[0] ? given[0] : callee)
  }
  const inner = expression.left ?? expression.expression
  return inner && subjectOf(inner)
}

/** All names that may stand for a variable. */
function namesIn(node) {
  const names = new Set()
  const visit = (part) => {
    const isMember = part.parent?.name === part && !ts.isVariableDeclaration(part.parent)
    const isMemberName = isMember && !ts.isShorthandPropertyAssignment(part.parent)
    if (ts.isIdentifier(part) && !isMemberName) names.add(part.text)
    ts.forEachChild(part, visit)
  }
  visit(node)
  return names
}

/** Half of it would be messages of the type checker. */
function withoutIdleMessages(code) {
  const told = new Set([...code.matchAll(/\bDiagnostics\.(\w+)/g)].map(([, name]) => name))
  const message = /^ {2}(\w+): diag\([^]*?\),?\n(?= {2}\w+: diag\(|\};)/gm
  return code.replace(message, (text, name) => (told.has(name) ? text : ''))
}
