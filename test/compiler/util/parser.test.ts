/** A build loads a part of TypeScript's parser, which has to return the same as the whole. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import { globSync } from 'tinyglobby'
import { ts as whole } from 'ts-morph'
import { parse, valueNames } from '../../../compiler/util/source/parse.ts'
import { ts } from '../../../compiler/util/source/project.ts'
import { root } from '../../support/root.ts'

const files = globSync(
  ['fixtures/{apps,scan,diagnostics}/**/*.{js,mjs,cjs,ts,tsx,json}', 'compiler/**/*.ts'],
  {
    cwd: root,
    absolute: true,
    ignore: ['**/node_modules/**', '**/.framework/**'],
  },
)

/** The properties of a node that the scan reads. */
function treeOf(by: typeof ts, file: ts.SourceFile): unknown[] {
  const facts: unknown[] = []
  const visit = (node: ts.Node): void => {
    const name = by.isIdentifier(node) ? node.text : node.getText().length
    facts.push(node.kind, node.flags, node.getStart(), node.getEnd(), name)
    assert.ok(node.getSourceFile() === file)
    by.forEachChild(node, visit)
  }
  visit(file)
  const { parseDiagnostics = [] } = file as {
    parseDiagnostics?: readonly ts.DiagnosticWithLocation[]
  }
  for (const { start, length, code, messageText } of parseDiagnostics)
    facts.push(start, length, code, messageText, file.getLineAndCharacterOfPosition(start))
  return facts
}

/** Names anywhere but in types and in import statements. */
function namesIn(file: ts.SourceFile): string[] {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isType = whole.isTypeNode(node) && !whole.isExpressionWithTypeArguments(node)
    const isDeclared = whole.isInterfaceDeclaration(node) || whole.isTypeAliasDeclaration(node)
    // In a broken file, one may be inside of something else.
    const isImport = whole.isImportDeclaration(node) && node.parent === file
    if (isType || isDeclared || isImport) return
    if (whole.isIdentifier(node)) names.add(node.text)
    whole.forEachChild(node, visit)
  }
  visit(file)
  return [...names]
}

function assertSame(file: string, text: string): void {
  const parsed = parse(file, text)
  const { JSON: json, JSX: jsx } = whole.ScriptKind
  const kind = file.endsWith('.json') ? json : /tsx?$/.test(file) ? undefined : jsx
  const { Latest } = whole.ScriptTarget
  const how = {
    languageVersion: Latest,
    jsDocParsingMode: whole.JSDocParsingMode.ParseNone,
  }
  const expected = whole.createSourceFile(file, text, how, true, kind)
  assert.deepEqual([...valueNames(parsed).keys()], namesIn(expected), relative(root, file))
  const [part, all] = [treeOf(ts, parsed), treeOf(whole, expected)]
  if (JSON.stringify(part) !== JSON.stringify(all))
    assert.deepEqual(part, all, relative(root, file))
}

test("the parser returns the same as TypeScript's, for complete and for broken files", () => {
  assert.ok(files.length > 500, String(files.length))
  for (const [i, file] of files.entries()) {
    if (i % 3 > 0) continue
    const text = readFileSync(file, 'utf8')
    assertSame(file, text)
    const from = (i * 7919) % (text.length + 1)
    assertSame(file, text.slice(0, from) + text.slice(from + (i % 40)))
  }
})

test('it is a small part', () => {
  assert.ok(Object.keys(ts).length < Object.keys(whole).length / 10)
})

test('code that is nested too deeply for the parser is a problem of its file', () => {
  const { parseDiagnostics } = parse('deep.ts', `export default ${'['.repeat(100_000)}`) as {
    parseDiagnostics?: readonly ts.Diagnostic[]
  }
  assert.match(String(parseDiagnostics?.[0]?.messageText), /nested too deeply/)
})
