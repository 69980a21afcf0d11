/** `framework deploy` of the installed packages, whose files are in `node_modules`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writeAll } from '../support/folders.ts'
import { createPackedFolder, pack } from '../support/packed.ts'

const tarballs = pack({ after })

test('an entry that awaits modules with computed names starts', (t) => {
  const app = createPackedFolder(t, tarballs)
  writeAll(app.folder, {
    'package.json': { private: true, type: 'module' },
    'app.js': `import { readdirSync } from 'node:fs'
import framework from 'framework/5'
const app = framework()
const folder = new URL('./plugins/', import.meta.url)
for (const name of readdirSync(folder)) app.register((await import(new URL(name, folder).href)).default)
console.log((await app.inject('/books')).body)
`,
    'plugins/books.js': `export default async (app) => app.get('/books', async () => 'Emma')
`,
  })
  const cli = 'node_modules/@framework/compiler/dist/cli.js'
  const deployed = app.node([cli, 'deploy', 'app.js', '--target', 'node', '--out', 'out'])
  assert.match(deployed.stdout, /Start it: node out/, deployed.stderr)
  const { stdout, stderr } = app.node(['out'])
  assert.equal(stderr, '')
  assert.equal(stdout, 'Emma\n')
})
