/** Every sample of `fixtures/scan` is scanned, and booted on the real Fastify: both must show the same application. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ContextTree, Diagnostic } from '../../../compiler/model.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import { samples } from '../../support/samples.ts'
import type { SampleConfig } from '../../support/samples.ts'
import type { BootedContext } from '../../support/scan-oracle.ts'
import { bootOnFastify, flatten, sortContexts, toBooted } from '../../support/scan-oracle.ts'

interface ScanConfig extends SampleConfig {
  /** Default: the first of app.ts, app.js… that exists. */
  readonly entry?: string
  /** How to boot what the entry exports: `plugin`, `factory <name>`, `class <name>`. */
  readonly boots?: string
  /** Environments to boot in; what they show together must be what the scan shows. */
  readonly environments?: readonly Readonly<Record<string, string>>[]
  /** Contexts are registered in an order that chance decides. */
  readonly unordered?: boolean
  /** The environment to boot in. */
  readonly env?: Readonly<Record<string, string>>
  /** Parts of route schemas that are no data: the scan leaves them out. */
  readonly leavesOut?: readonly string[]
  /** What the scan must report instead; the sample is not booted then. */
  readonly diagnostics?: readonly (Pick<Diagnostic, 'code' | 'message'> & {
    readonly file: string
    readonly line: number
    readonly column: number
  })[]
}

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

function firstEntry(dir: string): string {
  const names = [
    'app.ts',
    'app.js',
    'app.mts',
    'app.cts',
    'app.mjs',
    'app.cjs',
    'src/app.ts',
    'src/app.js',
    'app/app.ts',
    'app/app.js',
  ]
  const found = names.find((name) => existsSync(join(dir, name)))
  if (found === undefined) throw new Error(`${dir} has no entry`)
  return found
}
