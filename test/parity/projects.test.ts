/** The larger applications, from their artifacts: valid and invalid values for each route and each part. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { appNamed, artifactOf, compiled, projectNames } from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'
import { assertParity, runGrid } from './grid.ts'
import type { Exchange, Outcome, Transcript } from './transcript.ts'

/** One line per route without an accepted request, and per part of a route that was never refused. */
function unreached({ routes }: Manifest, exchanges: readonly Exchange[], { outcomes }: Transcript) {
  return routes
    .filter((route) => route.method !== 'HEAD')
    .flatMap(({ method, url, validators }) => {
      const title = `${method} ${samplePath(url)}: `
      const answers = exchanges.flatMap((exchange, index) =>
        exchange.title.startsWith(title) ? [answerOf(outcomes[index])] : [],
      )
      const refused = Object.keys(validators).filter(
        (part) => !answers.some((answer) => isRefusal(answer, part)),
      )
      return [
        ...(answers.some(({ status }) => status < 300) ? [] : [`${title}never accepted`]),
        ...refused.map((part) => `${title}${part} never refused`),
      ]
    })
}

/** `/loans/:id(^\d+$)/*` as samples write it: `/loans/{id}/{*}`. */
function samplePath(url: string): string {
  return url.replace(/:(\w+)(\([^)]*\))?/g, '{$1}').replace(/\*$/, '{*}')
}

function answerOf(outcome: Outcome | undefined) {
  const answer = outcome?.answer
  return answer !== undefined && 'status' in answer ? answer : { status: 0, body: '' }
}

/**
 * However an application words its errors, the part is named: `body/lines must be array`. On Fastify 5, the router refuses parameters that
 * are too long.
 */
function isRefusal({ status, body }: { status: number; body: string }, part: string): boolean {
  if (status === 414) return part === 'params'
  return (status === 400 || status === 422) && body.toLowerCase().includes(part)
}

for (const name of runsAll ? [...projectNames, 'museum@5'] : ['harbour']) {
  test(`${name}: compiled answers like Fastify`, async (t) => {
    const run = await runGrid(compiled, name)
    assertParity(compiled, name, run)

    const artifact = await artifactOf(appNamed(name))
    const manifest = JSON.parse(readFileSync(join(artifact, 'manifest.json'), 'utf8')) as Manifest
    assert.deepEqual(unreached(manifest, run.exchanges, run.expected), [])
    const externals = manifest.routes.flatMap(({ external }) => external)
    assert.deepEqual(externals, [], 'Every part is compiled ahead')
    assert.ok(manifest.routes.length >= 40, `${manifest.routes.length} routes`)
    t.diagnostic(
      `${manifest.routes.length} routes, ${manifest.contexts.length} contexts, ${run.exchanges.length} exchanges`,
    )
  })
}
