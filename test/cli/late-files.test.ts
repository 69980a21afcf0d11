/** Files of an artifact that disappear while the application serves, and things in their place that aren't files. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBuiltShop } from '../support/workshop.ts'

const ASK = `
const request = { method: 'POST', url: '/items', payload: { name: 5 } }
const log = []
const logger = { level: 'error', stream: { write: (line) => log.push(line) } }
const app = shop({ logger, aot: { check: globalThis.check } })
await app.inject('/health')
harm()
const { statusCode, body } = await app.inject(request)
heal()
const again = await app.inject(request)
console.log(JSON.stringify({ statusCode, body, log: log.join(''), again: again.statusCode }))
`

/** Each damages a file that the first request needs, and repairs it. */
const harms: Readonly<Record<string, string>> = {
  'the folder is gone': `
import { renameSync } from 'node:fs'
import shop from './app.js'
const harm = () => renameSync('.framework', '.gone')
const heal = () => renameSync('.gone', '.framework')
${ASK}`,
  'no descriptor is left': `
import { closeSync, openSync } from 'node:fs'
import shop from './app.js'
const open = []
const harm = () => {
  try {
    for (;;) open.push(openSync('/dev/null', 'r'))
  } catch {}
}
const heal = () => open.forEach((fd) => closeSync(fd))
${ASK}`,
}

for (const [what, program] of Object.entries(harms)) {
  for (const check of ['ready', 'first-request']) {
    test(`${what} after ready() (check: ${check}): the client sees no path, the log does`, (t) => {
      const shop = createBuiltShop(t)
      shop.write('program.js', program)
      shop.write('check.js', `globalThis.check = '${check}'`)
      const args = '--import ./.framework/register.js --import ./check.js program.js'
      const command = ['-c', `ulimit -n 256; exec "$0" ${args}`, process.execPath]
      const { stdout, stderr } = spawnSync('sh', command, { cwd: shop.folder, encoding: 'utf8' })
      const seen = JSON.parse(stdout || '{}') as Record<string, unknown>
      assert.equal(seen.statusCode, 500, stderr)
      const body = JSON.parse(String(seen.body)) as Record<string, unknown>
      assert.deepEqual(body, {
        statusCode: 500,
        code: 'FST_ERR_AOT_ARTIFACT_DAMAGED',
        error: 'Internal Server Error',
        message: 'The artifact cannot serve this route. The log says why.',
      })
      assert.match(String(seen.log), /chunks.*(?:ENOENT|EMFILE)/)
      assert.equal(seen.again, 201)
    })
  }
}

/** Each replaces a file that has to be refused before it is read. */
const strangers: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void spawnSync('mkfifo', [path]),
  'a device': (path) => symlinkSync('/dev/zero', path),
  'a file of 3 GB': (path) => {
    spawnSync('touch', [path])
    truncateSync(path, 3 * 1024 ** 3)
  },
}

for (const [what, put] of Object.entries(strangers)) {
  test(`${what} in the place of a file is refused before it is read`, (t) => {
    const shop = createBuiltShop(t)
    const files = shop.list('.framework').filter((file) => /^chunks./.test(file))
    for (const file of files) {
      const path = join(shop.folder, '.framework', file)
      const content = shop.read(join('.framework', file))
      rmSync(path)
      put(path)
      const { stdout, signal } = spawnSync(
        process.execPath,
        ['--import', './.framework/register.js', 'main.js'],
        { cwd: shop.folder, encoding: 'utf8', timeout: 20_000 },
      )
      assert.equal(signal, null, `${file} is waited for`)
      const { code } = JSON.parse(stdout) as { code: string }
      assert.equal(code, 'FST_ERR_AOT_ARTIFACT_DAMAGED')
      rmSync(path)
      shop.write(join('.framework', file), content)
    }
  })
}
