/** Every sample of `fixtures/scan` is scanned, and booted on the real Fastify: both must show the same application. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { ContextTree, Diagnostic } from '../../../compiler/model/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import { samples } from '../../support/samples.ts'
import type { BootedContext } from '../../support/scan-oracle.ts'
import { bootOnFastify, flatten, sortContexts, toBooted } from '../../support/scan-oracle.ts'
import { firstEntry, type ScanConfig } from '../../support/scan-samples.ts'

await samples<ScanConfig>('scan', async ({ dir, config }) => {
  const entry = join(dir, config.entry ?? firstEntry(dir))
  const { tree, diagnostics } = await scanned(entry, dir)
  if (config.diagnostics !== undefined) {
    assert.deepEqual(
      diagnostics.map(({ code, at: { file, line, column } }) => ({ code, file, line, column })),
      config.diagnostics.map(({ code, file, line, column }) => ({ code, file, line, column })),
    )
    for (const [index, { message }] of config.diagnostics.entries()) {
      assert.ok(diagnostics[index]?.message.includes(message), diagnostics[index]?.message)
    }
    return
  }
  assert.deepEqual(diagnostics, [])
  assert.ok(tree)
  const options = {
    ...(config.boots !== undefined && { boots: config.boots }),
    ...(config.env !== undefined && { env: config.env }),
  }
  if (config.environments === undefined) {
    const booted = await bootOnFastify(entry, options)
    for (const { schema } of booted.routes) {
      for (const part of config.leavesOut ?? []) delete (schema as Record<string, unknown>)[part]
    }
    const sort = config.unordered ? sortContexts : (context: BootedContext) => context
    assert.deepEqual(sort(toBooted(tree)), sort(booted))
    return
  }
  const lines = new Set<string>()
  for (const env of config.environments) {
    const booted = await bootOnFastify(entry, { ...options, env })
    for (const line of flatten(booted)) lines.add(line)
  }
  assert.deepEqual([...new Set(flatten(toBooted(tree)))].sort(), [...lines].sort())
})

async function scanned(
  entry: string,
  root: string,
): Promise<{ tree: ContextTree | undefined; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = []
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)
  const graph = await scan({ entry, root, out: join(root, '.framework') }, report)
  return { tree: graph && buildTree(graph, report), diagnostics }
}
