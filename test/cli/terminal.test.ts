/** The output of the command on a terminal, on a pipe, with --quiet and with --json. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import { commandFile } from '../support/command-file.ts'

const application = `import framework from 'framework'
export const app = framework()
app.get('/', { schema: { querystring: { $ref: 'nothing#' } } }, () => 'found')
`

/** Runs the command on a pseudo-terminal, or on pipes. */
function run(shop: Workshop, env: Readonly<Record<string, string>>, terminal: boolean): string {
  const line = [process.execPath, commandFile, 'build', 'app.js']
  const [command = '', ...args] = terminal
    ? ['script', '--quiet', '--return', '--command', line.join(' '), '/dev/null']
    : line
  // Node shows no colours where `CI` is set.
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...rest } = process.env
  const { stdout, stderr } = spawnSync(command, args, {
    cwd: shop.folder,
    encoding: 'utf8',
    env: { ...rest, TERM: 'xterm-256color', ...env },
  })
  return stdout + stderr
}

test('colours are for terminals, unless the environment says otherwise', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application)
  const isColoured = (env: Readonly<Record<string, string>>, terminal: boolean): boolean =>
    run(shop, env, terminal).includes('\u001B[31mAOT_REF_UNRESOLVED')
  assert.equal(isColoured({}, true), true)
  assert.equal(isColoured({ NO_COLOR: '1' }, true), false)
  assert.equal(isColoured({ FORCE_COLOR: '0' }, true), false)
  assert.equal(isColoured({ TERM: 'dumb' }, true), false)
  assert.equal(isColoured({}, false), false)
  assert.equal(isColoured({ FORCE_COLOR: '1' }, false), true)
})

test('--quiet prints problems and warnings alone', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application)
  const problem = shop.fail('build', 'app.js', '--quiet')
  assert.match(problem, /^app\.js:3:\d+ {2}AOT_REF_UNRESOLVED\n/)
  shop.edit('app.js', "{ $ref: 'nothing#' }", "{ a: { type: 'string' } }")
  assert.deepEqual(shop.framework('build', 'app.js', '-q'), { status: 0, stdout: '', stderr: '' })
})

test('the --json output of every command has the same form', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application)
  const members = ['format', 'command', 'ok', 'diagnostics', 'warnings', 'result']
  const ask = (...args: string[]): Record<string, unknown> => {
    const { stdout, stderr } = shop.framework(...args, '--json')
    assert.equal(stderr, '')
    const envelope = JSON.parse(stdout) as Record<string, unknown>
    assert.deepEqual(Object.keys(envelope), members)
    assert.equal(envelope['format'], 1)
    assert.equal(envelope['command'], args[0])
    return envelope
  }
  const refused = ask('build', 'app.js')
  assert.equal(refused['ok'], false)
  assert.equal(refused['result'], null)
  assert.equal((refused['diagnostics'] as unknown[]).length, 1)
  shop.edit('app.js', "{ $ref: 'nothing#' }", "{ a: { type: 'string' } }")
  for (const args of [
    ['build', 'app.js'],
    ['deploy', 'app.js', '-t', 'node'],
    ['completions', 'zsh'],
  ]) {
    const { ok, diagnostics, result } = ask(...args)
    assert.deepEqual([ok, diagnostics, typeof result], [true, [], 'object'])
  }
})

test('the reader of the output may stop early', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const line = `"${process.execPath}" "${commandFile}" completions zsh | head --lines=1`
  const { stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: join(shop.folder),
    encoding: 'utf8',
  })
  assert.deepEqual([stdout, stderr], ['#compdef framework\n', ''])
})
