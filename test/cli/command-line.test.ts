/** What the command says when it is called in the wrong way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helpText } from '../../cli/help.ts'
import { createWorkshop } from '../support/workshop.ts'

const wrong: readonly (readonly [args: string[], message: string])[] = [
  [['buidl', 'app.js'], 'There is no command "buidl".'],
  [['build'], '`framework build` needs the entry file.'],
  [['build', 'a.js', 'b.js'], '`framework build` takes one entry file, not 2.'],
  [['build', 'a.js', '--ot', 'x'], "Unknown option '--ot'."],
  [['build', 'a.js', '-o'], "Option '-o, --out <value>' argument missing."],
  [['build', 'a.js', '--trace=1'], "Option '--trace' does not take an argument."],
  [['build', 'a.js', '--boot-timeout', 'x'], '`--boot-timeout` takes a number of seconds.'],
]

test('a command line that is wrong: one sentence, where to look, exit code 2', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const [args, message] of wrong) {
    assert.deepEqual(shop.framework(...args), {
      status: 2,
      stdout: '',
      stderr: `${message} Run "framework --help" to see what there is.\n`,
    })
  }
})

test('without a command it prints its help, and has done nothing', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const stdout = `${helpText()}\n`
  assert.deepEqual(shop.framework(), { status: 2, stdout, stderr: '' })
  assert.deepEqual(shop.framework('build', '--help'), { status: 0, stdout, stderr: '' })
})

test('a folder is no entry', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const { status, stderr } = shop.framework('build', '.')
  assert.equal(status, 1)
  assert.match(stderr, /^\.:1:1 {2}AOT_ENTRY_NOT_FOUND\nThere is no file "\."\./m)
})
