/** Completions of shells. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { commonOptions, optionsOf } from '../../cli/command.ts'
import { targets } from '../../compiler/deploy/targets/index.ts'
import { commands } from '../../cli/commands/index.ts'
import { complete } from '../../cli/completions.ts'
import { commandFile } from '../support/command-file.ts'
import { createWorkshop } from '../support/workshop.ts'

const names = commands.map(({ name }) => name)

test('bash completes commands, options and their values, and leaves files to the shell', (t) => {
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
    ['framework build --server f', ['framework', 'fastify@4', 'fastify@5']],
    // Bash makes a word of an @.
    ['framework build --server fastify @', ['4', '5']],
    ['framework build --server fastify @ 5', ['5']],
  ]
  // The shell completes the line as it does when Tab is pressed.
  const tabs = lines.map(([line]) => {
    const words = line.split(' ')
    const list = words.map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _framework; echo "\${COMPREPLY[*]}"`
  })
  const command = `framework() { '${process.execPath}' '${commandFile}' "$@"; }`
  const { stdout, stderr } = spawnSync('bash', ['-c', [command, script, ...tabs].join('\n')], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const offered = stdout.trimEnd().split('\n')
  lines.forEach(([line, words], i) => assert.equal(offered[i] ?? '', words.join(' '), line))
  const registered = spawnSync('bash', ['-c', `${script}\ncomplete -p framework`])
  assert.match(String(registered.stdout), /-o default -F _framework framework/)
})

test('every option of every command is offered, in the form of each shell', (t) => {
  for (const command of commands) {
    const offered = complete(commands, [command.name, '--']).map(({ word }) => word)
    const options = Object.keys(optionsOf(command)).map((name) => `--${name}`)
    assert.deepEqual(offered, options)
  }
  const shop = createWorkshop(t, 'cli/empty')
  const { summary } = commonOptions.quiet
  for (const [shell, line] of Object.entries({
    bash: '--quiet',
    zsh: `--quiet:${summary}`,
    fish: `--quiet\t${summary}`,
  })) {
    assert.equal(shop.succeed('completions', shell, '--', 'build', '--qu'), `${line}\n`)
    assert.ok(shop.succeed('completions', shell).includes(`framework completions ${shell} -- `))
  }
})
