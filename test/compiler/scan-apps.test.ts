/** The larger applications: the scan must show what booting them on the real Fastify shows. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildTree } from '../../compiler/2-tree/index.ts'
import { scan } from '../../compiler/1-scan/index.ts'
import type { Diagnostic } from '../../compiler/model.ts'
import { bootOnFastify, toBooted } from '../support/scan-oracle.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

for (const name of readdirSync(`${root}/fixtures/apps`)) {
  test(`${name} is scanned as it boots`, async () => {
    const dir = `${root}fixtures/apps/${name}`
    const entry = existsSync(`${dir}/app.ts`) ? `${dir}/app.ts` : `${dir}/app.cjs`
    const boots = name.endsWith('plugin-entry') ? { boots: 'plugin' } : {}
    const diagnostics: Diagnostic[] = []
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)
    const graph = await scan({ entry, root, out: '' }, report)
    assert.ok(graph)
    const tree = buildTree(graph, report)
    assert.deepEqual(diagnostics, [])
    assert.deepEqual(toBooted(tree), await bootOnFastify(entry, boots))
  })
}
