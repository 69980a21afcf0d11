/** Literals of plain data whose trees are let go: whoever looks finds them as they were, and until then they take no memory. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { globSync } from 'tinyglobby'
import { constantOf } from '../../../compiler/1-scan/constant.ts'
import { letGo } from '../../../compiler/1-scan/data/let-go.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import { parse } from '../../../compiler/1-scan/parse.ts'
import { ts } from '../../../compiler/1-scan/project.ts'
import type { SourceGraph } from '../../../compiler/model/index.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Outermost ones. */
function literalsIn(file: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && constantOf(node) !== undefined) found.push(node)
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** All that a tree says, places of lists too. */
function treeOf(file: ts.SourceFile): unknown[] {
  const told: unknown[] = []
  const visit = (node: ts.Node): void => {
    const { kind, flags, pos, end } = node
    told.push(kind, flags, pos, end, node.getStart(), node.getText())
    if (ts.isIdentifier(node)) told.push(node.text)
    assert.ok(node.getSourceFile() === file)
    ts.forEachChild(
      node,
      (child) => {
        assert.ok(child.parent === node)
        visit(child)
      },
      (list) => {
        told.push(list.pos, list.end, list.hasTrailingComma)
        list.forEach(visit)
      },
    )
  }
  visit(file)
  return told
}

const odd = `
const a = async () => { await f({ a: [1, { 'b': -1.5 }], c: ('d' as const) }); g = { e: \`x\` satisfies string } }
function* h() { yield { a: { b: [{}, [],], }, 1: 'é\\u0041\\n', } }
x = <div>{({ /* one */ a /* two */: /* three */ null /* four */, })}</div>
@y({ a: true }) class z { w = { ['b']: 1, c: { d: 'e' + 1 } } }`

test('a literal is read again as it was', () => {
  const files = globSync('fixtures/{apps,scan}/**/*.{js,mjs,cjs,ts,tsx}', {
    cwd: root,
    absolute: true,
    ignore: ['**/node_modules/**', '**/.framework/**'],
  })
  const texts = files
    .filter((_, i) => i % 4 === 0)
    .map((file) => [file, readFileSync(file, 'utf8')])
  let count = 0
  for (const [file = '', text = ''] of [...texts, ['odd.tsx', odd], ['odd.js', odd]]) {
    const parsed = parse(file, text)
    const literals = literalsIn(parsed)
    literals.forEach(letGo)
    count += literals.length
    assert.deepEqual(treeOf(parsed), treeOf(parse(file, text)), relative(root, file))
  }
  assert.ok(count > 300, String(count))
})

test('a scan that is large gives half of its memory back, and still says all', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-let-go-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const entry = join(folder, 'app.js')
  writeFileSync(entry, largeApplication(3000))
  const graph = await scanned(entry)
  const before = getHeapStatistics().used_heap_size
  graph.letGo()
  const after = getHeapStatistics().used_heap_size
  assert.ok(before - after > before * 0.4, `${before} and ${after} bytes`)
  assert.deepEqual(answersOf(graph), answersOf(await scanned(entry)))
})

async function scanned(entry: string): Promise<SourceGraph> {
  const folder = join(entry, '..')
  mkdirSync(join(folder, 'out'), { recursive: true })
  const graph = await scan({ entry, root: folder, out: join(folder, 'out') }, (problem) => {
    throw new Error(problem.message)
  })
  assert.ok(graph !== undefined)
  return graph
}

/** What leads back to the source. */
function answersOf(graph: SourceGraph): unknown {
  const schemas = graph.root.operations.flatMap((one) =>
    one.type === 'route' ? one.route.schemas : [],
  )
  const places = schemas.flatMap(({ value }) => [
    value.locate(['body', 'properties', 'list', 'items', 0, 'enum', 2]),
    value.locate(['body', 'required'], 'name'),
    value.locate(['response', '200', 'type']),
  ])
  const kept = graph.kept()
  assert.ok(kept !== undefined)
  const { numbers, ...tree } = kept
  return { places, literals: graph.literals(), tree, numbers: [...numbers.values()] }
}

/** A kilobyte of plain data for each route. */
function largeApplication(count: number): string {
  const property = (i: number): string => `
        p${i}: { type: 'string', minLength: ${i}, maxLength: 100, pattern: '^[a-z]+$', description: 'what it is' },`
  const route = (_: unknown, i: number): string => `app.post('/r${i}', {
    schema: {
      body: {
        type: 'object',
        required: ['p1', 'list'],
        properties: {${[1, 2, 3, 4, 5, 6, 7, 8].map(property).join('')}
          list: { type: 'array', items: [{ enum: ['a', 'b', 'c${i}'] }], minItems: 1 },
        },
      },
      response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } },
    },
  }, async () => ({ id: ${i} }))\n`
  return `import framework from 'framework'\nconst app = framework()\n${Array.from({ length: count }, route).join('')}await app.listen({ port: 3000 })\n`
}
