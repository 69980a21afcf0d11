/** The command's compile cache is in a folder that nobody else can write to. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { privateFolder } from '../../cli/v8.ts'
import { nodeBinary } from '../targets/installed.ts'
import { commandFile } from '../support/command-file.ts'
import { temporaryFolder } from '../support/folders.ts'

const me = process.getuid?.() ?? 0
const OTHER = 65_534

/** A folder of the home that exists, its mode and owner, and whether the cache is safe there. */
for (const [folder, mode, owner, isSafe] of [
  ['', 0o700, me, true],
  ['', 0o777, me, false],
  ['', 0o770, me, false],
  ['.cache', 0o755, me, true],
  ['.cache', 0o1777, me, true],
  ['.cache', 0o777, me, false],
  ['.cache', 0o700, OTHER, false],
  ['.cache/framework/compile-cache', 0o700, me, true],
  ['.cache/framework/compile-cache', 0o755, me, false],
  ['.cache/framework/compile-cache', 0o777, me, false],
  ['.cache/framework/compile-cache', 0o700, OTHER, false],
] as const) {
  const about = `~/${folder} with mode ${mode.toString(8)} of ${owner === me ? 'the' : 'another'} user`
  // Only root can give a folder to another user.
  const options = { skip: owner !== me && me !== 0 }
  test(`${about} is ${isSafe ? 'used' : 'left alone'}`, options, (t) => {
    const home = temporaryFolder(t)
    mkdirSync(join(home, folder), { recursive: true })
    chmodSync(join(home, folder), mode)
    chownSync(join(home, folder), owner, owner)
    const found = privateFolder({ HOME: home })
    assert.equal(found, isSafe ? join(home, '.cache/framework/compile-cache') : undefined)
    if (found !== undefined) assert.equal(statSync(found).mode & 0o777, 0o700)
  })
}

test('relative paths of the environment are ignored', (t) => {
  const home = temporaryFolder(t)
  for (const XDG_CACHE_HOME of ['', 'caches'])
    assert.equal(
      privateFolder({ HOME: home, XDG_CACHE_HOME }),
      join(home, '.cache/framework/compile-cache'),
    )
  assert.equal(privateFolder({ HOME: '' }), undefined)
})

test('Node 22 and later put nothing into the shared temporary folder', (t) => {
  const home = temporaryFolder(t)
  const temporary = join(home, 'tmp')
  mkdirSync(temporary)
  const { status, stderr } = spawnSync(nodeBinary('24'), [commandFile, '--version'], {
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  assert.deepEqual(readdirSync(temporary), [])
  assert.equal(readdirSync(join(home, '.cache/framework/compile-cache')).length, 1)
})
