/** Each command on a terminal, wide and narrow, resized and interrupted, and on a pipe. Linux. */
import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandFile } from '../support/command-file.ts'
import { commands } from '../../cli/commands/index.ts'
import { openTerminal } from '../support/terminal.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const application = `import framework from 'framework'
export const app = framework()
app.addSchema({ $id: 'name', type: 'string', minLength: 1 })
app.post('/books', { schema: { body: { type: 'object', properties: { name: { $ref: 'name#' } } } } }, async () => '')
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
`

/** The code of a package makes its schema, takes longer than anybody waits, and has a name that is longer than a narrow line. */
const slow = `import framework from 'framework'
import { schemaThatTakesVeryLongBecauseItIsComputed } from 'slow'
const app = framework()
app.post('/', { schema: { body: schemaThatTakesVeryLongBecauseItIsComputed() } }, async () => '')
await app.ready()
`

const slowPackage = `exports.schemaThatTakesVeryLongBecauseItIsComputed = () => {
  for (const end = process.cpuUsage().user + 9e6; process.cpuUsage().user < end; ) continue
  return { type: 'string' }
}
`

function project(t: TestContext, text: string): Workshop {
  const shop = createWorkshop(t, 'cli/empty').writeApp(text)
  shop.write('node_modules/slow/index.js', slowPackage)
  shop.write('package.json', '{ "type": "module", "scripts": { "start": "node app.js" } }\n')
  return shop
}

/** All names in a folder except packages. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((file) => file !== 'node_modules')

interface Call {
  readonly args: readonly string[]
  /** The screen shows this at the end. */
  readonly shows: RegExp
  /** The start of standard output on a pipe, if it differs. */
  readonly prints?: RegExp
  /** True if it needs an artifact. */
  readonly built?: boolean
  /** True if it reads the source, which may take long. */
  readonly reads?: readonly string[]
}

/** Every command has a row. `dev`, which keeps running, has tests of its own. */
const calls: Readonly<Record<string, Call>> = {
  init: { args: ['init', 'app.js', '--yes'], shows: /Changed package\.json/ },
  build: {
    args: ['build', 'app.js'],
    shows: /1 \w+: .* kB[\s\S]*(?:Wrote|Checked) \.framework\./,
    reads: ['build', 'app.js'],
  },
  check: {
    args: ['check'],
    shows: /^\.framework is up to date\.$/m,
    built: true,
    reads: ['check', 'app.js'],
  },
  deploy: {
    args: ['deploy', 'app.js', '-t', 'node'],
    shows: /Start it:/,
    reads: ['deploy', 'app.js', '-t', 'node'],
  },
  routes: { args: ['routes'], shows: /^POST +\/books/m, built: true, reads: ['routes', 'app.js'] },
  explain: {
    args: ['explain', 'POST', '/books'],
    shows: /^POST \/books/m,
    built: true,
    reads: ['explain', 'POST', '/', 'app.js'],
  },
  openapi: {
    args: ['openapi'],
    shows: /"openapi": "3\.1\.0"/,
    built: true,
    reads: ['openapi', 'app.js'],
  },
  report: {
    args: ['report'],
    shows: /^Wrote \.framework\/report\.html: 1 route/m,
    built: true,
    reads: ['report', 'app.js'],
  },
  completions: { args: ['completions', 'bash'], shows: /_framework/ },
}

const lasting = ['dev']

const escape = '\u001B'

function onPipe(folder: string, args: readonly string[]) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  return spawnSync(process.execPath, [commandFile, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('every command is in the table', () => {
  const tested = [...Object.keys(calls), ...lasting].sort()
  assert.deepEqual(tested, commands.map(({ name }) => name).sort())
})

for (const [name, { args, shows, built }] of Object.entries(calls)) {
  test(`${name}, on a terminal and on a pipe`, async (t) => {
    const shop = project(t, application)
    if (built) assert.equal(onPipe(shop.folder, ['build', 'app.js']).status, 0)
    for (const columns of [100, 32]) {
      const terminal = await openTerminal(t, { folder: shop.folder, args, columns })
      assert.equal(await terminal.ended(), 0, terminal.printed)
      const screen = await terminal.screen()
      const text = screen.join('\n')
      // Lines that are too long for a narrow terminal go on in the next one.
      if (columns === 100) assert.match(text, shows)
      // No progress is left on the screen.
      assert.doesNotMatch(text, /reading ?the|compiling ?schemas|bundling| \.\.\.$/m)
      assert.ok(screen.length > 0)
    }
    if (name === 'init')
      shop.write('package.json', '{ "type": "module", "scripts": { "start": "node app.js" } }')
    const { status, stdout, stderr } = onPipe(shop.folder, args)
    assert.equal(status, 0, stderr)
    assert.match(stdout, shows)
    assert.ok(!(stdout + stderr).includes(escape) && !stderr.includes('\r'))
  })
}

/** Processes that work in a folder. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return readlinkSync(`/proc/${id}/cwd`).startsWith(folder)
      } catch (error) {
        // It has ended, or belongs to another user.
        if (['ENOENT', 'EACCES', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? ''))
          return false
        throw error
      }
    })
}

async function untilGone(folder: string): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end; await sleep(50)) {
    if (processesIn(folder).length === 0) return
  }
  assert.deepEqual(processesIn(folder), [])
}

for (const [name, { reads }] of Object.entries(calls)) {
  if (reads === undefined) continue
  test(`${name}, interrupted while a schema takes long, leaves nothing behind`, async (t) => {
    const shop = project(t, slow)
    const before = filesIn(shop.folder)
    const terminal = await openTerminal(t, { folder: shop.folder, args: reads, columns: 60 })
    await terminal.until(/takes long/)
    assert.equal((await terminal.screen()).length, 1, (await terminal.screen()).join('\n'))
    terminal.press('\u0003')
    assert.equal(await terminal.ended(), 130)
    assert.deepEqual(filesIn(shop.folder), before)
    await untilGone(shop.folder)
  })
}

test('dev goes on when the terminal is resized, and ends by its key and by an interrupt', async (t) => {
  const shop = project(t, application)
  for (const key of ['q', '\u0003']) {
    shop.write('app.js', application)
    const terminal = await openTerminal(t, { folder: shop.folder, args: ['dev', 'app.js'] })
    await terminal.until(/serves at http:/)
    terminal.resize(40, 10)
    shop.write('app.js', application.replace('minLength: 1', 'minLength: 2'))
    await terminal.until(/app\.js: built in/)
    terminal.resize(120, 40)
    await terminal.until(/app\.js: built in[\s\S]*serves at http:/)
    terminal.press(key)
    assert.equal(await terminal.ended(), 0)
    assert.doesNotMatch((await terminal.screen()).join('\n'), / \.\.\.$/m)
    await untilGone(shop.folder)
  }
})

test('a progress line takes one line, however narrow the terminal is', async (t) => {
  const shop = project(t, slow)
  const args = ['build', 'app.js']
  const terminal = await openTerminal(t, { folder: shop.folder, args, columns: 30 })
  await terminal.until(/^reading the application/)
  await sleep(2000)
  assert.equal((await terminal.screen()).length, 1, (await terminal.screen()).join('\n'))
  terminal.press('\u0003')
  assert.equal(await terminal.ended(), 130)
})
