/** What the command says when it is called in the wrong way. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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

test('warnings go to standard error and leave the exit code; `--strict-eval` makes problems of them', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  mkdirSync(join(shop.folder, 'node_modules/odd'))
  shop.write('node_modules/odd/package.json', '{ "name": "odd", "main": "odd.js" }')
  shop.write('node_modules/odd/odd.js', 'module.exports = () => new Function("return 1")()')
  shop.write(
    'app.js',
    "import framework from 'framework'\nimport odd from 'odd'\nexport const app = framework()\napp.get('/', () => odd())\n",
  )
  const lenient = shop.framework('build', 'app.js')
  assert.equal(lenient.status, 0)
  assert.match(lenient.stderr, /^1 warning:\n {2}app\.js:2:17 {2}AOT_CODE_GENERATION\n {4}"odd" /m)
  const strict = shop.framework('build', 'app.js', '--strict-eval')
  assert.equal(strict.status, 1)
  assert.match(strict.stderr, /^app\.js:2:17 {2}AOT_CODE_GENERATION\n"odd" /m)
  assert.match(strict.stderr, /^1 problem; nothing was written\./m)
  const json = shop.framework('build', 'app.js', '--json')
  const { ok, warnings } = JSON.parse(json.stdout) as { ok: boolean; warnings: { code: string }[] }
  assert.deepEqual([ok, warnings.map(({ code }) => code)], [true, ['AOT_CODE_GENERATION']])
})
