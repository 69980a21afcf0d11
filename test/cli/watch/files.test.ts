/** Watching goes on beside what cannot be read. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { watchFiles } from '../../../cli/watch/files.ts'

const unreadable: Readonly<Record<string, (path: string) => void>> = {
  'a link to itself': (path) => symlinkSync(path, path),
  'links in a circle': (path) => {
    symlinkSync(`${path}-2`, path)
    symlinkSync(path, `${path}-2`)
  },
  // The superuser may read it.
  'a folder without permissions': (path) => {
    mkdirSync(path)
    chmodSync(path, 0)
  },
}

for (const [name, create] of Object.entries(unreadable)) {
  test(`changes are seen beside ${name}`, { timeout: 20_000 }, async (t) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'watch-')))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    create(join(root, 'unreadable'))
    const changed = await new Promise<string>((resolve, reject) => {
      const watched = watchFiles({ root, ignored: [], also: [], onChange: resolve })
      watched.then(({ close }) => {
        t.after(close)
        writeFileSync(join(root, 'app.ts'), '')
      }, reject)
    })
    assert.equal(changed, join(root, 'app.ts'))
  })
}
