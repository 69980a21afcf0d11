/** The larger applications: the scan must show what booting them on the real Fastify shows. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { appNamed, projectNames } from '../../support/engines.ts'
import { root } from '../../support/root.ts'
import {
  bootOnFastify,
  flatten,
  sortContexts,
  toBooted,
  type BootedContext,
} from '../../support/scan-oracle.ts'

/** Applications with plugins of packages that declare routes of their own. */
const registersPackages = ['plugins']

const compiledParts = ['body', 'headers', 'params', 'query', 'querystring', 'response']

for (const name of readdirSync(`${root}/fixtures/apps`)) {
  test(`${name} is scanned as it boots`, async () => {
    const { source: entry, file } = appNamed(name)
    const boots = name.endsWith('plugin-entry') ? { boots: 'plugin' } : {}
    const diagnostics: Diagnostic[] = []
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)
    const graph = await scan({ entry, root, out: '' }, report)
    assert.ok(graph)
    const tree = buildTree(graph, report)
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
