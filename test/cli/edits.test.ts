/** Builds that follow one another while an application is edited: each is, byte for byte, the one from scratch. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Session } from '../../compiler/build.ts'
import type { BuildOptions, BuildResult } from '../../compiler/index.ts'
import { build } from '../../compiler/index.ts'
import fc from 'fast-check'
import type { Application } from '../support/random-edits.ts'
import { edited, edits as sequence, filesOf, start } from '../support/random-edits.ts'
import { runs } from '../support/runs.ts'

/** What a build has to say, and what it has written. */
function toldBy({ diagnostics, dynamic, warnings, artifact }: BuildResult): object {
  const { parts = [], heads = [] } = artifact?.output ?? {}
  const told = { diagnostics, dynamic, warnings }
  return { ...told, manifest: artifact?.manifest, files: new Map([...parts, ...heads]) }
}

/** Writes what differs from the files that are there, and gives what is there now. */
function save(
  folder: string,
  before: ReadonlyMap<string, string>,
  app: Application,
): ReadonlyMap<string, string> {
  const now = filesOf(app)
  for (const file of before.keys()) if (!now.has(file)) rmSync(join(folder, file))
  for (const [file, text] of now) {
    if (before.get(file) === text) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return now
}

test('a build after any edit is the one from scratch, byte for byte', async () => {
  const tally = { built: 0, problems: 0 }
  const session = fc.record({
    edits: sequence,
    allowDynamic: fc.boolean(),
    // As under `framework dev`.
    isOneProcess: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(session, async ({ edits, allowDynamic, isOneProcess }) => {
      const folder = mkdtempSync(join(tmpdir(), 'framework-edits-'))
      const session: Session = {}
      const optionsOf = (name: string, cache: boolean): BuildOptions => ({
        entry: join(folder, 'app.js'),
        out: join(folder, name),
        cache,
        allowDynamic,
      })
      let app = start
      let files = save(folder, new Map(), app)
      await build(optionsOf('warm', true), undefined, isOneProcess ? session : {})
      for (const one of edits) {
        app = edited(app, one)
        files = save(folder, files, app)
        const warm = await build(optionsOf('warm', true), undefined, isOneProcess ? session : {})
        const cold = await build(optionsOf('cold', false))
        assert.deepEqual(toldBy(warm), toldBy(cold), JSON.stringify(one))
        tally[warm.artifact === undefined ? 'problems' : 'built']++
      }
      rmSync(folder, { recursive: true })
    }),
    // Each step of looking for the shortest sequence is a few builds: `SHRINK=1` does.
    { ...runs(3), endOnFailure: process.env['SHRINK'] === undefined },
  )
  assert.ok(tally.built > tally.problems, JSON.stringify(tally))
})
