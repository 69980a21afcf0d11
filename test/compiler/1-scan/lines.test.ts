/** The samples of `fixtures/scan` that Fastify 4.29 and 5 boot too: the scan for that line shows the same application. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { scan } from '../../../compiler/1-scan/index.ts'
import { profileOf } from '../../../compiler/target-profiles/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { fastifyLines, packages } from '../../support/bridged.ts'
import { withoutVariants } from '../../support/random-apps/check.ts'
import { loadSamples } from '../../support/samples.ts'
import type { BootedContext } from '../../support/scan-oracle.ts'
import { bootOnFastify, sortContexts, toBooted } from '../../support/scan-oracle.ts'
import { firstEntry, type ScanConfig } from '../../support/scan-samples.ts'
import { runsAll } from '../../support/runs.ts'

/** All samples take two minutes for each line. */
const step = runsAll ? 1 : 16

for (const line of fastifyLines) {
  test(`shows samples as ${line} boots them`, async () => {
    const profile = profileOf(line)
    const all = await loadSamples<ScanConfig>('scan')
    const told = all.filter(({ config }) => !config.diagnostics && !config.environments)
    let booted = 0
    const chosen = told.filter((_, index) => index % step === 0)
    for (const { name, dir, config } of chosen) {
      const entry = join(dir, config.entry ?? firstEntry(dir))
      const env = { ...config.env, SCAN_FASTIFY: packages[line] }
      const { boots } = config
      // Short forms of schemas, for example, are no schemas on Fastify 5.
      const theirs = await bootOnFastify(entry, {
        ...(boots !== undefined && { boots }),
        env,
      }).catch(() => undefined)
      if (theirs === undefined) continue
      booted++
      const diagnostics: Diagnostic[] = []
      const report = (one: Diagnostic): void => void (one.isWarning || diagnostics.push(one))
      const graph = await scan({ entry, root: dir, out: join(dir, '.framework'), line }, report)
      assert.deepEqual(diagnostics, [], name)
      assert.ok(graph, name)
      for (const { schema } of theirs.routes) {
        for (const part of config.leavesOut ?? []) delete (schema as Record<string, unknown>)[part]
      }
      const shown = (one: BootedContext): BootedContext => {
        const sorted = config.unordered ? sortContexts(one) : one
        return line === 'fastify@5' ? withoutVariants(sorted) : sorted
      }
      assert.deepEqual(
        shown(toBooted(buildTree(graph, report, profile) as never)),
        shown(theirs),
        name,
      )
    }
    assert.ok(booted >= chosen.length / 3, `${line} boots ${booted} of ${chosen.length}`)
  })
}
