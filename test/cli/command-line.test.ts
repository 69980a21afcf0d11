/** Messages about wrong command lines. */
import assert from 'node:assert/strict'
import { realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandHelp, helpText } from '../../cli/help.ts'
import { targets } from '../../compiler/deploy/targets/index.ts'
import { commands } from '../../cli/commands/index.ts'
import { plain } from '../../cli/terminal.ts'
import { createWorkshop } from '../support/workshop.ts'

/** By command lines. */
const wrong: Readonly<Record<string, string>> = {
  'buidl app.js': 'There is no command "buidl". Did you mean "build"?',
  publish: 'There is no command "publish".',
  'help biuld': 'There is no command "biuld". Did you mean "build"?',
  build:
    'There is no artifact in "FOLDER/.framework", and neither package.json nor a usual file name leads to the entry. Pass the file that makes the application, such as "app.js".',
  'routes --artifact other':
    'There is no artifact in "FOLDER/other". Build it, or pass the file that makes the application, such as "app.js".',
  'build a.js b.js': '`framework build [entry]` doesn\'t accept "b.js".',
  'build a.js --ot x': 'Unknown option \'--ot\'. Did you mean "--out"?',
  'build a.js --alow-dynamic': 'Unknown option \'--alow-dynamic\'. Did you mean "--allow-dynamic"?',
  'build a.js --wholly-other': "Unknown option '--wholly-other'.",
  'deploy a.js': `Name the platform: \`--target\` takes ${targets.join(', ')}.`,
  'deploy a.js -t nod': `\`--target\` takes ${targets.join(', ')}, not "nod". Did you mean "node"?`,
  'deploy a.js -t lamda': `\`--target\` takes ${targets.join(', ')}, not "lamda". Did you mean "lambda"?`,
  'build a.js -t fastfy@4':
    '`--server` takes framework, fastify@4, fastify@5, not "fastfy@4". Did you mean "fastify@4" or "fastify@5"?',
  'check a.js --format githb':
    '`--format` takes github, sarif, not "githb". Did you mean "github"?',
  'deploy a.js -t mainframe': `\`--target\` takes ${targets.join(', ')}, not "mainframe".`,
  'build a.js --outdir x': 'There is no `--outdir`. Use `--out` instead.',
  'dev a.js --outDir=x': 'There is no `--outDir`. Use `--out` instead.',
  '--verison': 'There is no command "--verison". Did you mean "--version"?',
  start: 'There is no command "start". Did you mean "dev"?',
  'serve a.js': 'There is no command "serve". Did you mean "dev"?',
  'build .':
    'No entry was found in the folder ".". Pass the file that makes the application, such as "app.js".',
  completions: '`framework completions` needs <shell>: bash, zsh, fish.',
  'completions fsh': '<shell> is bash, zsh, fish, not "fsh". Did you mean "fish" or "zsh"?',
  'build a.js -o': "Option '-o, --out <value>' argument missing.",
  'build a.js --trace=1': "Option '--trace' does not take an argument.",
  'build a.js --boot-timeout x': '`--boot-timeout` takes a number of seconds.',
}

test('a wrong command line gives one sentence, the place of the help, and exit code 2', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const [line, message] of Object.entries(wrong)) {
    const { status, stdout, stderr } = shop.framework(...line.split(' '))
    assert.deepEqual([status, stdout], [2, ''])
    const [said = '', help = ''] = stderr.split(' Run "')
    assert.equal(said.replace(realpathSync(shop.folder), 'FOLDER'), message)
    assert.match(help, /^framework (?:\w+ )?--help" for help\.\n$/)
  }
})

test('without a command it prints its help, and does nothing', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const stdout = `${helpText(commands, plain)}\n`
  assert.deepEqual(shop.framework(), { status: 2, stdout, stderr: '' })
  assert.deepEqual(shop.framework('help'), { status: 0, stdout, stderr: '' })
  for (const command of commands) assert.ok(stdout.includes(`  ${command.name} `), command.name)
})

test('a command prints its own help, whatever other arguments it gets', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const build = commands.find(({ name }) => name === 'build')
  assert.ok(build)
  const said = { status: 0, stdout: `${commandHelp(build, plain)}\n`, stderr: '' }
  assert.deepEqual(shop.framework('build', '--help'), said)
  assert.deepEqual(shop.framework('build', 'app.js', '-h'), said)
  assert.deepEqual(shop.framework('help', 'build'), said)
})

test('`--target`, the earlier name of `--server`, still works, with a note', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.writeApp("import fastify from 'fastify'\nfastify().get('/', () => 1).listen()\n")
  const note = '`--target` is called `--server` here.\n'
  for (const [words, line, said] of [
    ['build app.js -s fastify@5', 'fastify@5', ''],
    ['build app.js --target fastify@5', 'fastify@5', note],
    ['build app.js -t fastify@5', 'fastify@5', note],
    ['build app.js -t fastify@5 --json', 'fastify@5', note],
    ['build app.js -t fastify@5 --server fastify@4', 'fastify@4', note],
    ['build app.js -qt fastify@5', 'fastify@5', ''],
  ] as const) {
    const { status, stderr } = shop.framework(...words.split(' '))
    assert.deepEqual([status, stderr, shop.manifest().line], [0, said, line], words)
  }
})

test('without a file, and for a folder, the entry is the one that `framework init` finds', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('src/server.ts', "import framework from 'framework'\nframework().listen()\n")
  for (const args of [[], ['.'], ['./']]) {
    shop.succeed('build', ...args)
    assert.equal(shop.manifest().entry, 'src/server.ts')
    rmSync(join(shop.folder, '.framework'), { recursive: true })
  }
})

test('JSON without its type is a warning of a build, but not of a deployment, which contains it', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'a.json': '{}',
    'app.js': `import framework from 'framework'\nimport a from './a.json'\nframework().get('/', () => a).listen()\n`,
  })
  assert.match(shop.framework('build', 'app.js').stderr, /AOT_JSON_WITHOUT_TYPE/)
  assert.equal(shop.framework('deploy', 'app.js', '--target', 'node').stderr, '')
})

test('an entry that neither listens nor exports is a warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('node_modules/starter/package.json', '{ "name": "starter", "main": "index.js" }')
  shop.write('node_modules/starter/index.js', 'exports.serve = exports.Server = function () {}')
  for (const [last, isWarned] of [
    ['', true],
    ['app.listen({ port: 3000 })', false],
    ['export { app }', false],
    ["await app.inject('/')", false],
    ["import { serve } from 'starter'\nserve(app, 3000)", false],
    ["import { Server } from 'starter'\nnew Server({ app })", false],
    ["import { serve } from 'starter'\nserve(3000)", true],
  ] as const) {
    const text = `import framework from 'framework'\nconst app = framework()\napp.get('/', async () => 1)\n`
    shop.writeApp(text + last)
    const { status, stderr } = shop.framework('build', 'app.js')
    assert.equal(status, 0)
    assert.equal(/AOT_ENTRY_NOT_STARTED/.test(stderr), isWarned, last)
  }
})

test("warnings go to standard error and don't change the exit code; `--strict-eval` makes them problems", (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/odd/package.json': '{ "name": "odd", "main": "odd.js" }',
    'node_modules/odd/odd.js': 'module.exports = () => new Function("return 1")()',
    'app.js':
      "import framework from 'framework'\nimport odd from 'odd'\nexport const app = framework()\napp.get('/', () => odd())\n",
  })
  const lenient = shop.framework('build', 'app.js')
  assert.equal(lenient.status, 0)
  assert.match(lenient.stderr, /^1 warning:\n {2}app\.js:2:17 {2}AOT_CODE_GENERATION\n {4}"odd" /m)
  const strict = shop.fail('build', 'app.js', '--strict-eval')
  assert.match(strict, /^app\.js:2:17 {2}AOT_CODE_GENERATION\n"odd" /m)
  assert.match(strict, /^1 problem; nothing was written\./m)
  const codes = shop.warnings('build', 'app.js').map(({ code }) => code)
  assert.deepEqual(codes, ['AOT_CODE_GENERATION'])
})
