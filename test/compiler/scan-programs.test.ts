/** Random set-up code: the value that the scan computes is the one that running the code gives. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { scan } from '../../compiler/1-scan/index.ts'
import { buildTree } from '../../compiler/2-tree/index.ts'
import type { Diagnostic } from '../../compiler/model.ts'
import { program } from '../support/random-programs.ts'

const dir = mkdtempSync(join(tmpdir(), 'scan-programs-'))
after(() => rmSync(dir, { recursive: true }))

test('computes what the program computes', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(program, async ({ setUp, result }) => {
      let expected: string
      try {
        const text = `${setUp}\n;JSON.stringify(${result})`
        expected = runInNewContext(text, { structuredClone }) as string
      } catch {
        // Not every random program runs to its end.
        return
      }
      const entry = join(dir, `app${count++}.js`)
      const route = `app.get('/', { schema: { made: ${result} } }, () => {})`
      writeFileSync(
        entry,
        `import framework from 'framework'\nconst app = framework()\n${setUp}\n;${route}\n`,
      )
      const diagnostics: Diagnostic[] = []
      const report = (one: Diagnostic): void => void diagnostics.push(one)
      const graph = await scan({ entry, root: dir, out: '' }, report)
      assert.deepEqual(diagnostics, [])
      assert.ok(graph)
      const [route0] = buildTree(graph, report).root.routes
      assert.deepEqual(diagnostics, [])
      assert.equal(JSON.stringify((route0?.schema?.value as { made: unknown }).made), expected)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 400) },
  )
})
