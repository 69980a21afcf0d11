/** The larger applications, from their artifacts: each route and each part with what fits and what does not. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { appNamed, artifactOf, compiled, projectNames } from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'
import { assertParity, runGrid } from './grid.ts'
import { unreached } from './reach.ts'

for (const name of runsAll ? [...projectNames, 'museum@5'] : ['harbour']) {
  test(`${name}: compiled answers like Fastify`, async (t) => {
    const run = await runGrid(compiled, name)
    assertParity(compiled, name, run)

    const artifact = await artifactOf(appNamed(name))
    const manifest = JSON.parse(readFileSync(join(artifact, 'manifest.json'), 'utf8')) as Manifest
    assert.deepEqual(unreached(manifest, run.exchanges, run.expected), [])
    assert.deepEqual(
      manifest.routes.flatMap(({ external }) => external),
      [],
      'Every part is compiled ahead',
    )
    assert.ok(manifest.routes.length >= 40, `${manifest.routes.length} routes`)
    t.diagnostic(
      `${manifest.routes.length} routes, ${manifest.contexts.length} contexts, ${run.exchanges.length} exchanges`,
    )
  })
}
