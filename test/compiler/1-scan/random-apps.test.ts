/**
 * Random applications of several files: the scan shows the contexts, routes, schemas and compilers that Fastify has once
 * it has booted them. Some are built and served: they answer as they do on Fastify.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { fastifyLines } from '../../support/bridged.ts'
import { check, write } from '../../support/random-apps/check.ts'
import { regressions } from '../../support/random-apps/regressions.ts'
import { application, type RandomApplication } from '../../support/random-apps/index.ts'
import { compareAnswers } from '../../support/random-apps/serve.ts'
import { runs, runsAll } from '../../support/runs.ts'

// Inside the checkout, where `framework` and its peers resolve.
const root = fileURLToPath(new URL(`../../../random-apps-${process.pid}/`, import.meta.url))
let count = 0
after(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Returns true if Fastify boots it. Throws if the scan or the answers from the artifact differ. */
async function holds(app: RandomApplication, isServed: boolean): Promise<boolean> {
  const folder = join(root, String(count++))
  write(folder, app)
  const verdict = await check(folder)
  if (verdict.kind === 'refused') return false
  const differences =
    verdict.kind !== 'equal'
      ? verdict.lines
      : isServed
        ? await compareAnswers(folder, app, verdict.booted.root)
        : []
  assert.equal(differences.length, 0, `${textOf(app)}\n${differences.join('\n')}`)
  rmSync(folder, { recursive: true })
  return true
}

function textOf({ files }: RandomApplication): string {
  return Object.entries(files)
    .map(([path, text]) => `// ${path}\n${text}`)
    .join('\n')
}

for (const [title, app] of Object.entries(regressions)) {
  test(title, async () => assert.ok(await holds(app, runsAll)))
}

test('shows random applications as Fastify boots them', async () => {
  const tally = { all: 0, booted: 0 }
  await fc.assert(
    fc.asyncProperty(application, async (app) => {
      tally.all++
      if (await holds(app, tally.all % 10 === 0)) tally.booted++
    }),
    // Looking for the smallest application that fails would take many boots.
    { ...runs(15), endOnFailure: true },
  )
  assert.ok(tally.booted >= tally.all * 0.95, `Fastify boots ${tally.booted} of ${tally.all}`)
})

for (const line of fastifyLines) {
  test(`shows random applications as ${line} boots them`, async () => {
    const { numRuns, seed } = runs(8)
    const kinds: string[] = []
    for (const app of fc.sample(application, { numRuns, seed })) {
      const folder = join(root, String(count++))
      write(folder, app)
      const verdict = await check(folder, line)
      const differs = verdict.kind === 'different' || verdict.kind === 'reported'
      assert.ok(!differs, `${textOf(app)}\n${differs ? verdict.lines.join('\n') : ''}`)
      kinds.push(verdict.kind)
      rmSync(folder, { recursive: true })
    }
    // Fastify 5 refuses short forms of schemas.
    const booted = kinds.filter((kind) => kind === 'equal').length
    assert.ok(booted >= numRuns * 0.6, `Fastify boots ${booted} of ${numRuns}`)
  })
}
