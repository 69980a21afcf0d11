/** Completions of shells. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { commonOptions, optionsOf } from '../../cli/command.ts'
import { targets } from '../../compiler/deploy/targets/index.ts'
import { commands } from '../../cli/commands/index.ts'
import { createWorkshop } from '../support/workshop.ts'

const names = commands.map(({ name }) => name)

test('bash completes commands, options and what they take, and leaves files to itself', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const script = shop.succeed('completions', 'bash')
  const lines: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ['framework ', [...names, 'help', '--help', '--version']],
    ['framework b', ['build']],
    ['framework help dep', ['deploy']],
    ['framework build --tr', ['--trace']],
    ['framework build app.js --q', ['--quiet']],
    ['framework deploy --target ', targets],
    ['framework deploy -t n', ['node']],
    ['framework build --boot-timeout ', []],
    ['framework build --out ', []],
    ['framework build ', []],
    ['framework completions ', ['bash', 'zsh', 'fish']],
  ]
  // The shell completes the line as it does when Tab is pressed.
  const asked = lines.map(([line]) => {
    const words = line.split(' ')
    const list = words.map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _framework; echo "\${COMPREPLY[*]}"`
  })
  const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${asked.join('\n')}`], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const offered = stdout.trimEnd().split('\n')
  lines.forEach(([line, words], i) => assert.equal(offered[i] ?? '', words.join(' '), line))
  const registered = spawnSync('bash', ['-c', `${script}\ncomplete -p framework`])
  assert.match(String(registered.stdout), /-o default -F _framework framework/)
})

test('the scripts of all shells name every command with every option', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout: script } = shop.framework('completions', shell)
    for (const command of commands) {
      assert.ok(script.includes(command.name), `${shell}: ${command.name}`)
      for (const name of Object.keys(optionsOf(command))) {
        const written = shell === 'fish' ? ` -l ${name}` : `--${name}`
        assert.ok(script.includes(written), `${shell}: ${written}`)
      }
    }
    assert.ok(Object.keys(commonOptions).length > 0)
  }
})
