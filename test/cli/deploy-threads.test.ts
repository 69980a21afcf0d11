/** Modules that a deployment starts by a path or a name: transports of pino, and processes. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startFolder } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'
import { temporaryFolder } from '../support/folders.ts'

test('a deployment brings transports of pino, and the modules of processes that it forks', async (t) => {
  const post = createWorkshop(t, 'deploy/post')
  cpSync(join(post.folder, 'packages/box'), join(post.folder, 'node_modules/box'), {
    recursive: true,
  })
  post.edit('app.js', 'transport: {', "transport: !process.env.LOG_FILE ? { target: 'pretty' } : {")
  const { status, stderr } = post.framework('deploy', 'app.js', '--target', 'node')
  assert.equal(status, 0, stderr)
  assert.match(
    stderr,
    /app\.js:7:\d+ {2}AOT_IMPORT_NOT_FOUND\n +The module "pretty" cannot be found/,
  )
  assert.ok(!stderr.includes('"box"'))

  const elsewhere = temporaryFolder(t)
  renameSync(join(post.folder, '.framework/deploy/node'), join(elsewhere, 'post'))
  const log = join(elsewhere, 'log')
  const server = await startFolder(join(elsewhere, 'post'), elsewhere, { LOG_FILE: log })
  t.after(() => server.child.kill())

  const answer = await fetch(`http://127.0.0.1:${server.port}/letter`)
  assert.deepEqual(await answer.json(), { letter: 'Dear Ada' })
  const isLogged = (): boolean =>
    existsSync(log) && readFileSync(log, 'utf8').includes('request completed')
  for (let i = 0; i < 500 && !isLogged(); i++) await pause(20)
  assert.ok(isLogged())
})
