/** The samples of `fixtures/scan` and the larger applications are scanned, and booted on the real Fastify: both must show the same application. */
import assert from 'node:assert/strict'
import { readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import { samples, loadSamples, type SampleConfig } from '../../support/samples.ts'
import {
  type BootedContext,
  bootOnFastify,
  flatten,
  sortContexts,
  toBooted,
} from '../../support/scan-oracle.ts'
import { profileOf } from '../../../compiler/servers/index.ts'
import { fastifyLines } from '../../support/bridged.ts'
import { packages } from '../../support/compile-oracle.ts'
import { withoutVariants } from '../../support/random-apps/check.ts'
import { runsAll } from '../../support/runs.ts'
import { appNamed, projectNames } from '../../support/engines.ts'
import { root } from '../../support/root.ts'

interface ScanConfig extends SampleConfig {
  /** Default: the first of app.ts, app.js… that exists. */
  readonly entry?: string
  /** How to boot the export of the entry: `plugin`, `factory <name>`, `class <name>`. */
  readonly boots?: string
  /** Environments to boot in; what they show together must be what the scan shows. */
  readonly environments?: readonly Readonly<Record<string, string>>[]
  /** Contexts are registered in random order. */
  readonly unordered?: boolean
  /** The environment to boot in. */
  readonly env?: Readonly<Record<string, string>>
  /** Parts of route schemas that aren't data: the scan leaves them out. */
  readonly leavesOut?: readonly string[]
  /** Problems that the scan must report; the sample isn't booted then. */
  readonly diagnostics?: readonly (Pick<Diagnostic, 'code' | 'message'> & {
    readonly file: string
    readonly line: number
    readonly column: number
  })[]
}

/** The place where a sample starts by default. */
function firstEntry(dir: string): string {
  const names = ['', 'src/', 'app/'].flatMap((folder) =>
    ['ts', 'js', 'mts', 'cts', 'mjs', 'cjs'].map((extension) => `${folder}app.${extension}`),
  )
  const found = names.find((name) => existsSync(join(dir, name)))
  if (found === undefined) throw new Error(`${dir} has no entry`)
  return found
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
  if (config.environments === undefined) {
    const sort = config.unordered ? sortContexts : (context: BootedContext) => context
    assert.deepEqual(sort(toBooted(tree)), sort(await boot(entry, config)))
    return
  }
  const lines = new Set<string>()
  for (const env of config.environments) {
    for (const line of flatten(await boot(entry, config, env))) lines.add(line)
  }
  assert.deepEqual([...new Set(flatten(toBooted(tree)))].sort(), [...lines].sort())
})

/** Boots a sample on Fastify, without the parts of schemas that the scan leaves out. */
async function boot(
  entry: string,
  { boots, env, leavesOut = [] }: ScanConfig,
  more: Readonly<Record<string, string>> = {},
): Promise<BootedContext> {
  const options = { ...(boots !== undefined && { boots }), env: { ...env, ...more } }
  const booted = await bootOnFastify(entry, options)
  for (const { schema } of booted.routes) {
    for (const part of leavesOut) delete (schema as Record<string, unknown>)[part]
  }
  return booted
}

async function scanned(entry: string, root: string, line: LineName = 'framework') {
  const diagnostics: Diagnostic[] = []
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)
  const graph = await scan({ entry, root, out: join(root, '.framework'), line }, report)
  return { tree: graph && buildTree(graph, report, profileOf(line)), diagnostics }
}

/** All samples take two minutes for each line. */
const step = runsAll ? 1 : 16

for (const line of fastifyLines) {
  test(`shows samples as ${line} boots them`, async () => {
    const all = await loadSamples<ScanConfig>('scan')
    const plain = all.filter(({ config }) => !config.diagnostics && !config.environments)
    let booted = 0
    const chosen = plain.filter((_, index) => index % step === 0)
    for (const { name, dir, config } of chosen) {
      const entry = join(dir, config.entry ?? firstEntry(dir))
      const env = { SCAN_FASTIFY: packages[line] }
      // Short forms of schemas, for example, aren't schemas on Fastify 5.
      const theirs = await boot(entry, config, env).catch(() => undefined)
      if (theirs === undefined) continue
      booted++
      const { tree, diagnostics } = await scanned(entry, dir, line)
      const problems = diagnostics.filter(({ isWarning }) => !isWarning)
      assert.deepEqual(problems, [], name)
      assert.ok(tree, name)
      const shown = (one: BootedContext): BootedContext => {
        const sorted = config.unordered ? sortContexts(one) : one
        return line === 'fastify@5' ? withoutVariants(sorted) : sorted
      }
      assert.deepEqual(shown(toBooted(tree)), shown(theirs), name)
    }
    assert.ok(booted >= chosen.length / 3, `${line} boots ${booted} of ${chosen.length}`)
  })
}

/** Applications with plugins of packages that declare routes of their own. */
const registersPackages = ['plugins']

const compiledParts = ['body', 'headers', 'params', 'query', 'querystring', 'response']

for (const name of readdirSync(`${root}/fixtures/apps`)) {
  test(`${name} is scanned as it boots`, async () => {
    const { source: entry, file } = appNamed(name)
    const boots = name.endsWith('plugin-entry') ? { boots: 'plugin' } : {}
    const { tree, diagnostics } = await scanned(entry, root)
    assert.ok(tree)
    assert.deepEqual(diagnostics, [])
    // Projects run the output of their own compiler.
    const booted = await bootOnFastify(projectNames.includes(name) ? file : entry, boots)
    if (registersPackages.includes(name)) assertAllButPackages(toBooted(tree), booted)
    else assert.deepEqual(sortContexts(toBooted(tree)), sortContexts(booted))
  })
}

/** Routes of packages aren't in the source: they may be missing if they have nothing to compile. */
function assertAllButPackages(scanned: BootedContext, booted: BootedContext): void {
  const left = flatten(booted)
  for (const line of flatten(scanned)) {
    const index = left.indexOf(line)
    assert.notEqual(index, -1, `No such route is booted: ${line}`)
    left.splice(index, 1)
  }
  for (const line of left) {
    const { schema = {} } = JSON.parse(line) as { schema?: object }
    const compiled = Object.keys(schema).filter((part) => compiledParts.includes(part))
    assert.deepEqual(compiled, [], `A route with schemas is not scanned: ${line}`)
  }
  assert.ok(left.length > 0, 'No package declares a route: compare the trees instead')
}
