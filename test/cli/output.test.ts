/** The folder that the artifact is written to. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandFile } from '../support/command-file.ts'
import { runCommand } from '../support/command-runs.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const application = (maximum: number): string => `
import framework from 'framework'
const app = framework()
app.get('/', { schema: { querystring: { n: { type: 'integer', maximum: ${maximum} } } } }, () => 'found')
console.log((await app.inject('/?n=1')).body)
`

/** Builds and runs the command that the report shows. */
function buildAndStart(shop: Workshop, out: string): string {
  const stdout = shop.succeed('build', 'app.js', '--out', out)
  const [, preload = ''] = /node --import (.*) app\.js$/m.exec(stdout) ?? []
  assert.equal(shop.node('--import', preload.replaceAll("'", ''), 'app.js').stdout, 'found\n')
  return preload
}

test('the report shows how to start it, wherever it is written', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  const above = `../${shop.folder.split('/').at(-1)}/above`
  for (const [out, preload] of [
    ['.hidden/built', './.hidden/built/register.js'],
    ['with blanks', "'./with blanks/register.js'"],
    [above, './above/register.js'],
  ] as const) {
    assert.equal(buildAndStart(shop, out), preload)
  }
})

test('other files in the folder are kept', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  buildAndStart(shop, 'dist')
  const others = ['chunks/page.js', 'chunks/c-page.js', 'chunks/notes.txt']
  for (const file of others) shop.write(`dist/${file}`, 'mine')
  shop.writeApp(application(6))
  buildAndStart(shop, 'dist')
  for (const file of others) assert.equal(shop.read(`dist/${file}`), 'mine')
})

test('a path that cannot be a folder is reported like other problems', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  shop.write('file', 'mine')
  for (const out of ['file', 'file/below/it']) {
    const stderr = shop.fail('build', 'app.js', '--out', out)
    const [head = '', message = ''] = stderr.split('\n')
    assert.equal(head, `${out}  AOT_OUTPUT_NOT_WRITABLE`)
    assert.match(message, /"\S*\/file" isn't a folder\. Pass another path with `--out`\.$/)
  }
  mkdirSync(join(shop.folder, 'taken/index.mjs'), { recursive: true })
  const stderr = shop.fail('build', 'app.js', '--out', 'taken')
  assert.match(stderr, /^taken {2}AOT_OUTPUT_NOT_WRITABLE\n.*: EISDIR: /m)
  assert.equal(shop.read('file'), 'mine')
})

test('nothing is written to a folder that contains something else than an artifact', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  shop.write('notes/note.txt', 'mine')
  symlinkSync(shop.folder, join(shop.folder, 'notes/application'))
  const commands = [
    ['build', 'app.js'],
    ['deploy', 'app.js', '--target', 'node'],
  ]
  const about = join(shop.folder, 'package.json')
  for (const command of commands) {
    for (const [out, reason] of [
      ['/', 'it contains '],
      ['.', 'it contains the application'],
      ['..', 'it contains '],
      ['notes', 'it contains '],
      ['notes/application', 'it contains the application'],
      ['/proc/self/there', 'ENOENT: '],
      ['/dev/null', ''],
    ] as const) {
      const { stderr } = runCommand(shop.folder, [...command, '--out', out])
      const said = `AOT_OUTPUT_NOT_WRITABLE\nNothing can be written to "`
      assert.ok(stderr.includes(said) && stderr.includes(reason), `${command[0]} ${out}: ${stderr}`)
    }
  }
  // Whatever a package.json contains, the application stays.
  shop.write('package.json', '{ "type": "module", "framework": "0.0.0", "files": [] }')
  const stderr = shop.fail('deploy', 'app.js', '--target', 'node', '--out', '.')
  assert.match(stderr, /it contains the application/)
  assert.ok(lstatSync(about).isFile())
  assert.deepEqual(shop.list('notes').sort(), ['application', 'note.txt'])
  const page = shop.fail('report', 'app.js', '--out', '/proc/self/there/page.html')
  assert.match(page, /AOT_OUTPUT_NOT_WRITABLE\n.*ENOENT: /)
})

test('a file that no build has written is not replaced', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  const mine: Readonly<Record<string, string>> = {
    'index.mjs': 'export const mine = 1\n',
    'register.js': '// Written by somebody\n',
    'worker.mjs': '',
    'manifest.json': '{ "name": "mine", "functions": {} }',
  }
  for (const [file, text] of Object.entries(mine)) {
    const out = file.replace('.', '-')
    shop.write(`${out}/${file}`, text)
    const stderr = shop.fail('build', 'app.js', '--out', out)
    const said = `"${out}/${file}" would be overwritten, but no build wrote it.`
    assert.ok(stderr.includes(`${out}  AOT_OUTPUT_NOT_OURS\n${said}`), stderr)
    assert.deepEqual(readdirSync(join(shop.folder, out)), [file])
    assert.equal(shop.read(`${out}/${file}`), text)
  }
  // Files of a build may be replaced, unless something else has been put in their place.
  buildAndStart(shop, 'dist')
  shop.writeApp(application(6))
  buildAndStart(shop, 'dist')
  shop.write('dist/index.mjs', 'export const mine = 1\n')
  const { stderr } = shop.framework('build', 'app.js', '--out', 'dist')
  assert.match(stderr, /"dist\/index\.mjs" would be overwritten/)
  assert.equal(shop.read('dist/index.mjs'), 'export const mine = 1\n')
})

test('no link makes the build write outside of the folder', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  const path = (file: string): string => join(shop.folder, file)
  for (const folder of ['elsewhere', 'linked', 'files', 'real']) mkdirSync(path(folder))
  symlinkSync(path('elsewhere'), path('linked/chunks'))
  const chunks = shop.fail('build', 'app.js', '--out', 'linked')
  assert.match(
    chunks,
    /linked {2}AOT_OUTPUT_LEADS_OUT\n"linked\/chunks" is a link to "elsewhere", outside of/,
  )
  shop.write('mine.js', 'mine')
  symlinkSync(path('mine.js'), path('files/register.js'))
  assert.match(
    shop.framework('build', 'app.js', '--out', 'files').stderr,
    /AOT_OUTPUT_NOT_OURS\n"files\/register\.js"/,
  )
  // The folder itself may be one.
  symlinkSync(path('real'), path('out'))
  buildAndStart(shop, 'out')
  // A link at the temporary path of a build, and files with names like those of temporary files.
  symlinkSync(path('mine.js'), path('real/register.js.writing-1'))
  shop.write('real/notes.writing', 'mine')
  shop.writeApp(application(6))
  buildAndStart(shop, 'out')
  assert.equal(shop.read('mine.js'), 'mine')
  assert.equal(shop.read('real/notes.writing'), 'mine')
  assert.ok(lstatSync(path('real/register.js')).isFile())
  assert.deepEqual(readdirSync(path('elsewhere')), [])
})

test('from the root of a workspace, a build writes beside the application, and shows how it starts', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const folder = 'packages/the api'
  shop.write(`${folder}/package.json`, '{ "private": true, "type": "module" }')
  shop.write(`${folder}/source/app.js`, application(5))
  const stdout = shop.succeed('build', `${folder}/source/app.js`)
  assert.ok(shop.list(folder).includes('.framework/register.js'))
  assert.ok(!shop.list('.').includes('.framework'))
  assert.ok(stdout.includes(`Wrote ${folder}/.framework.`), stdout)
  const command = stdout.trimEnd().split('\n').at(-1)?.trim() ?? ''
  assert.equal(command, `cd '${folder}' && node --import ./.framework/register.js source/app.js`)
  const started = spawnSync(command, { shell: true, cwd: shop.folder, encoding: 'utf8' })
  assert.equal(started.stdout, 'found\n', started.stderr)
  // Without an entry, a build looks at the artifact of the package around.
  const again = spawnSync(process.execPath, [commandFile, 'build'], {
    cwd: join(shop.folder, folder, 'source'),
    encoding: 'utf8',
  })
  assert.match(again.stdout, /nothing has changed/, again.stderr)
})

test('the report names a file that Node can start', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const exported = `import framework from 'framework'\nexport const app = framework()\napp.get('/', () => '')\n`
  const listening = exported.replace('export const', 'const') + 'await app.listen()\n'
  const lineFor = (entry: string, text: string): string => {
    shop.write(entry, text)
    const { stdout, stderr } = shop.framework('build', entry)
    return /register\.js (.*)\n$/.exec(stdout)?.[1] ?? stderr
  }
  assert.equal(lineFor('src/app.js', listening), 'src/app.js')
  assert.equal(lineFor('src/app.js', exported), '<the file that starts app.js>')
  assert.match(
    shop.framework('build', 'src/app.js').stdout,
    /\. app\.js exports the application and does not listen: `framework init` adds a file that does\. Start /,
  )
  // A file that lets it listen may stand beside it, whatever starts that.
  shop.write('src/serve.js', "import { app } from './app.js'\nawait app.listen({ port: 0 })\n")
  assert.equal(lineFor('src/app.js', exported), 'src/serve.js')
  assert.doesNotMatch(shop.framework('build', 'src/app.js').stdout, /exports the application/)
  // Others are further away, or none.
  mkdirSync(join(shop.folder, 'aside/more.js'), { recursive: true })
  const aside = "import { app } from '../src/app.js'\nawait app.listen({ port: 0 })\n"
  shop.write('aside/dev.js', aside)
  assert.equal(lineFor('src/app.js', exported), 'src/serve.js')
  rmSync(join(shop.folder, 'src/serve.js'))
  mkdirSync(join(shop.folder, 'src/serve.js'))
  assert.equal(lineFor('src/app.js', exported), 'aside/dev.js')
  for (const one of ['aside', 'src/serve.js']) rmSync(join(shop.folder, one), { recursive: true })
  const before = shop.read('package.json')
  const start = 'PORT=1 node --import ./.framework/register.js ./server.js'
  shop.write('package.json', JSON.stringify({ type: 'module', scripts: { start } }))
  assert.equal(lineFor('src/app.js', exported), './server.js')
  assert.doesNotMatch(shop.framework('build', 'src/app.js').stdout, /exports the application/)
  shop.write('package.json', JSON.stringify({ type: 'module', devDependencies: { tsx: '4' } }))
  shop.write('src/main.ts', listening)
  assert.match(
    shop.framework('build', 'src/main.ts').stdout,
    /\n {2}npx tsx --import \.\/\.framework\/register\.js src\/main\.ts\n$/,
  )
  const withCli = { type: 'module', devDependencies: { 'fastify-cli': '6' } }
  shop.write('package.json', JSON.stringify(withCli))
  const plugin = "export default async (app) => { app.get('/', async () => '') }\n"
  shop.write('src/plugin.js', plugin)
  assert.match(
    shop.framework('build', 'src/plugin.js').stdout,
    /\. Start the application with\n {2}NODE_OPTIONS='--import framework\/fastify --import \.\/\.framework\/register\.js' npx fastify start src\/plugin\.js\n$/,
  )
  shop.write('package.json', before)
  if ('typescript' in process.features && process.features.typescript !== false) {
    assert.equal(lineFor('src/main.ts', listening), 'src/main.ts')
  } else {
    assert.equal(lineFor('src/main.ts', listening), '<main.js>')
    assert.match(
      shop.framework('build', 'src/main.ts').stdout,
      /\. main\.ts is TypeScript, which Node 20\.\S+ does not run: install tsx, or set `outDir` in tsconfig\.json and compile it\. Start /,
    )
  }
  shop.write('tsconfig.json', '{ "compilerOptions": { "outDir": "dist" } } // with a comment')
  assert.equal(lineFor('src/main.mts', listening), 'dist/main.mjs')
  shop.write('node_modules/typescript/package.json', '{ "version": "6.0.2" }')
  assert.equal(lineFor('src/main.ts', listening), 'dist/src/main.js')
})

test('without an entry or an artifact, a build takes `main` of package.json', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application(5))
  shop.write('package.json', '{ "type": "module", "main": "app.js" }')
  const stdout = shop.succeed('build')
  assert.match(stdout, /register\.js app\.js\n$/)
})
