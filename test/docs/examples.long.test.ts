/** Each application in `examples/` does what its README shows. */
import { cpSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { cloudflareModules } from '../support/cloudflare.ts'
import { bunBinary, nodeBinary } from '../targets/installed.ts'
import { root } from '../support/root.ts'
import { runHere } from './own-packages.ts'

const examples = readdirSync(join(root, 'examples')).filter((name) => !name.includes('.'))
for (const example of examples) {
  const page = `examples/${example}/README.md`
  // Without files that running it has left.
  const filter = (path: string): boolean => !/^(?:node_modules|\..*)$/.test(basename(path))
  const prepare = (folder: string): void =>
    cpSync(dirname(join(root, page)), folder, { recursive: true, filter })
  test(`${page} does what it shows`, (t) => {
    if (example === 'workers')
      return runHere(t, { page, prepare }, nodeBinary('24'), cloudflareModules())
    return runHere(t, { page, prepare }, example === 'bun' ? bunBinary() : undefined)
  })
}
