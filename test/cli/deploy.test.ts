/** `framework deploy`: modules that are hard to bundle or started by a path, failures, and deployments at the same time. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runsAll } from '../support/runs.ts'
import { startFolder, type Server } from '../support/start-server.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'
import { temporaryFolder } from '../support/folders.ts'

/** The kiosk with its packages, and its deployment in another folder. */
function createKiosk(t: Parameters<typeof createWorkshop>[0]): Workshop {
  const kiosk = createWorkshop(t, 'deploy/kiosk')
  const modules = join(kiosk.folder, 'node_modules')
  for (const name of ['old', 'native']) {
    cpSync(join(kiosk.folder, 'packages', name), join(modules, `${name}-package`), {
      recursive: true,
    })
  }
  cpSync(join(kiosk.folder, 'packages/helper'), join(modules, 'native-helper'), { recursive: true })
  for (const end of ['js', 'json']) {
    const name = end === 'js' ? 'index.js' : 'package.json'
    cpSync(join(kiosk.folder, `packages/events.${end}`), join(modules, 'events', name))
  }
  kiosk.install('@fastify')
  return kiosk
}

describe('a deployment for Node, alone in a folder', () => {
  const kiosk = createKiosk({ after })
  const elsewhere = temporaryFolder({ after })
  const folder = join(elsewhere, 'kiosk')
  let server: Server
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, init)
    const text = await answer.text()
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }

  before(async () => {
    kiosk.succeed('deploy', 'app.js', '--target', 'node')
    renameSync(join(kiosk.folder, '.framework/deploy/node'), folder)
    server = await startFolder(folder, elsewhere)
  })

  const cases: Readonly<Record<string, readonly [path: string, answer: unknown]>> = {
    'JSON that is imported': ['/settings', { name: 'kiosk', open: true }],
    'a file by its URL': ['/asset', 'A note.\n'],
    'a folder by its path': ['/assets', ['client.js', 'note.txt']],
    'what `createRequire` loads, once': ['/required', { word: 'Wort', again: true }],
    'which `__dirname` and `require` are names of a module itself': [
      '/names',
      { __filename: 'of an import', __dirname: 'of a parameter', folder: 'lib', required: 'lib' },
    ],
    'a CommonJS package as Node imports it, with a requirement that is missing': [
      '/old',
      {
        default: 'not the module of Node',
        greeting: 'Hello Ada, MODULE_NOT_FOUND lazily in old-package',
      },
    ],
    'that an optional package is missing': ['/faster', { tried: 'ERR_MODULE_NOT_FOUND' }],
    'a package with a binary, and what it depends on': [
      '/native',
      { binary: true, helped: 'not the module of Node' },
    ],
    WebAssembly: ['/wasm', { answer: 42 }],
    'a module that is imported later': ['/later', { loaded: 'later', default: 'by default' }],
    'a module whose name is half known': ['/by-name/named', { said: 'named' }],
    'a thread with modules of its own': ['/thread', { sum: 6 }],
    'a plugin that autoload finds': ['/hello', 'hello'],
    'inject, which no bundler sees': ['/injected', { name: 'kiosk', open: true }],
    'that it is the main module': ['/main', { isMain: true }],
  }
  for (const [what, [path, answer]] of Object.entries(cases)) {
    test(`knows ${what}`, async () => assert.deepEqual(await ask(path), answer))
  }

  test('keeps formats apart whose functions have the same name', async () => {
    const headers = { 'content-type': 'application/json' }
    const post = (body: object): Promise<unknown> =>
      ask('/pairs', { method: 'POST', headers, body: JSON.stringify(body) })
    assert.deepEqual(await post({ one: '', two: 'ab' }), { one: '', two: 'ab' })
    const { message } = (await post({ two: '' })) as { message: string }
    assert.equal(message, 'body/two must match format "really-even"')
  })

  test('maps errors to their sources', async () => {
    const map = JSON.parse(readFileSync(join(folder, 'index.js.map'), 'utf8')) as {
      sources: string[]
    }
    // It was moved. From where it was written, they lead to the project.
    const written = join(kiosk.folder, '.framework/deploy/node')
    const sources = map.sources.map((source) => join(written, source))
    for (const file of ['app.js', 'node_modules/old-package/index.js'])
      assert.ok(sources.includes(join(kiosk.folder, file)), sources.join('\n'))
  })

  test('holds the licences of the bundled packages', () => {
    const text = readFileSync(join(folder, 'licenses.md'), 'utf8')
    const permission = '[^#]*> Permission is hereby granted'
    for (const name of [
      '@fastify/autoload 5.10.0',
      'events [^\n]*',
      'framework',
      'fast-content-type-parse',
    ]) {
      assert.match(text, new RegExp(`^## ${name}`, 'm'), name)
    }
    assert.match(text, new RegExp(`^## @fastify/autoload 5\\.10\\.0 \\(MIT\\)\n${permission}`, 'm'))
    assert.doesNotMatch(text, /^## native-package/m)
  })

  test('closes on SIGTERM', async () => {
    assert.equal(await server.stop('SIGTERM'), 0)
  })
})

test('with `--enable-source-maps`, the stacks in logs lead to files of the project', async (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'src/app.ts': `import framework from 'framework/5'
interface Removed {
  readonly text: string
}
export const app = framework({ logger: true })
app.get('/', () => {
  throw new Error('none' satisfies Removed['text'])
})
`,
  })
  shop.succeed('deploy', 'src/app.ts', '--target', 'node')
  const folder = join(shop.folder, '.framework/deploy/node')
  const server = await startFolder(folder, shop.folder, {}, { flags: ['--enable-source-maps'] })
  await fetch(`http://127.0.0.1:${server.port}/`)
  await server.stop()
  const log = server.output().split('\n')
  const { err } = JSON.parse(log.find((line) => line.includes('"stack"')) as string) as {
    err: { stack: string }
  }
  const places = [...err.stack.matchAll(/\((\/.*?)(:\d+:\d+)\)/g)]
  assert.equal(`${places[0]?.[1]}${places[0]?.[2]}`, join(shop.folder, 'src/app.ts:7:9'))
  for (const [, file] of places) assert.ok(existsSync(String(file)), file)
})

test('the same application gives the same bytes, from any folder', (t) => {
  const texts = [createKiosk(t), createKiosk(t)].map((kiosk) => {
    kiosk.succeed('deploy', 'app.js', '--target', 'node', '--out', 'deployed')
    return kiosk
      .list('deployed')
      .filter((file) => /\.(?:c?js|json|map|txt)$/.test(file))
      .map((file) => [file, kiosk.read(join('deployed', file))])
  })
  assert.deepEqual(texts[0], texts[1])
})

test('a deployment that fails or is interrupted leaves the last one whole', async (t) => {
  const kiosk = createKiosk(t)
  const deploy = ['deploy', 'app.js', '--target', 'node', '--out', 'deployed']
  kiosk.succeed(...deploy)
  const before = kiosk.read('deployed/index.js')
  kiosk.edit('app.js', "'/settings'", "'/changed'")
  for (const delay of runsAll ? [300, 900, 1500] : [900]) await kiosk.interrupt(delay, ...deploy)
  assert.ok(existsSync(join(kiosk.folder, 'deployed/index.js')))
  kiosk.edit('app.js', "from 'old-package'", "from 'no-package'")
  const failed = kiosk.fail(...deploy)
  assert.match(failed, /AOT_IMPORT_NOT_FOUND[^]*"no-package"/)
  kiosk.edit('app.js', "from 'no-package'", "from 'old-package'")
  kiosk.edit('app.js', "'/changed'", "'/settings'")
  kiosk.succeed(...deploy)
  assert.equal(kiosk.read('deployed/index.js'), before)
  const left = kiosk.list('.').filter((file) => file.startsWith('deployed.'))
  assert.deepEqual(left, [])
})

test('two deployments at the same time leave a whole one', async (t) => {
  const kiosk = createKiosk(t)
  const deploy = ['deploy', 'app.js', '--target', 'node', '--out', 'deployed']
  await Promise.all([kiosk.interrupt(120_000, ...deploy), kiosk.interrupt(120_000, ...deploy)])
  const server = await startFolder(join(kiosk.folder, 'deployed'), kiosk.folder)
  t.after(() => server.child.kill())
  assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/hello`)).text(), 'hello')
  const left = kiosk.list('.').filter((file) => file.startsWith('deployed.'))
  assert.deepEqual(left, [])
})

test('files in a deployment that no deployment has written are kept', (t) => {
  const kiosk = createKiosk(t)
  for (const [target, folder] of [
    ['node', ''],
    ['vercel', 'functions/application.func/'],
  ] as const) {
    const deploy = ['deploy', 'app.js', '--target', target, '--out', target] as const
    kiosk.succeed(...deploy)
    kiosk.write(`${target}/notes.txt`, 'mine')
    kiosk.write(`${target}/${folder}files/uploads/1`, 'mine')
    kiosk.write(`${target}/${folder}gone.js`, 'mine')
    const before = kiosk.list(target)
    // The last deployment's own files go.
    const list = JSON.parse(kiosk.read(`${target}/${folder}package.json`)) as { files: string[] }
    list.files.push(`${folder}gone.js`)
    kiosk.write(`${target}/${folder}package.json`, JSON.stringify(list))
    kiosk.succeed(...deploy)
    kiosk.succeed(...deploy)
    const expected = before.filter((file) => file !== `${folder}gone.js`)
    assert.deepEqual(kiosk.list(target), expected)
    list.files = list.files.filter((file) => file !== `${folder}index.js`)
    kiosk.write(`${target}/${folder}package.json`, JSON.stringify(list))
    kiosk.write(`${target}/${folder}index.js`, 'mine')
    assert.match(
      kiosk.fail(...deploy),
      /AOT_OUTPUT_NOT_WRITABLE\n.*index\.js", which no deployment has written and this one would replace/,
    )
    assert.equal(kiosk.read(`${target}/${folder}index.js`), 'mine')
  }
})

test('a folder with other files is not replaced', (t) => {
  const kiosk = createKiosk(t)
  for (const [out, reason] of [
    ['lib', "it contains files that aren't part of a deployment"],
    ['.', 'it contains the application'],
  ] as const) {
    const stderr = kiosk.fail('deploy', 'app.js', '--target', 'node', '--out', out)
    const problem = `${out}  AOT_OUTPUT_NOT_WRITABLE\nNothing can be written to "${out}": ${reason}.`
    assert.ok(stderr.includes(problem), stderr)
  }
  assert.ok(kiosk.list('lib').includes('even.js'))
})

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
