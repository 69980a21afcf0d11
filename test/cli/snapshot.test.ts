/**
 * `framework deploy --snapshot`: what starts from a snapshot, what starts from the bundle beside it, and what is refused.
 * `npm run test:targets` runs all of it, `npm test` a sample.
 */
import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deploy as deployTo } from '../../compiler/deploy/index.ts'
import { nodeBinary } from '../nodes/install.ts'
import { startFolder } from '../support/start-folder.ts'
import type { StartedFolder, StartHow } from '../support/start-folder.ts'
import { createWorkshop } from '../support/workshop.ts'
import type { Workshop } from '../support/workshop.ts'

const node = nodeBinary('24')
const isWhole = process.env['TARGETS'] === 'all'

function deploy(
  shop: Workshop,
  entry: string,
): { status: number | null; stdout: string; stderr: string } {
  return shop.framework(
    'deploy',
    entry,
    '--target',
    'node',
    '--out',
    'deployed',
    '--snapshot',
    '--node',
    node,
  )
}

const shopSource = `import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { getDefaultAutoSelectFamily } from 'node:net'
import fastify from 'fastify'

// A class of a module that is loaded after the start.
class Keeper extends Agent {}
const greeting = process.env.GREETING ?? 'hello'
const terms = readFileSync(new URL('terms.txt', import.meta.url), 'utf8')
process.env.SET_BY_THE_SHOP = 'yes'

export default function shop() {
  const app = fastify({ logger: true })
  app.log.info('built')
  const { log } = app
  const querystring = { type: 'object', properties: { count: { type: 'integer' } } }
  app.get('/', { schema: { querystring } }, async ({ query, id, log: own }) => {
    own.info('asked')
    log.child({ of: 'the shop' }).info('told')
    const isAgent = new Keeper() instanceof Agent
    return { ...query, id, greeting, terms, set: process.env.SET_BY_THE_SHOP, isAgent, triesAll: getDefaultAutoSelectFamily() }
  })
  app.get('/fork', ({ query }) => new Promise((resolve) => {
    fork(query.file).once('message', resolve).once('exit', (code) => resolve({ code }))
  }))
  return app
}
`

const answer = {
  count: 3,
  id: 'req-1',
  greeting: 'hello',
  terms: 'Pay first.\n',
  set: 'yes',
  isAgent: true,
  triesAll: true,
}

describe('a deployment with a snapshot', () => {
  const shop = createWorkshop({ after }, 'deploy/post')
  const folder = join(shop.folder, 'deployed')
  const blob = join(folder, 'snapshot.blob')

  before(() => {
    shop.write('shop.js', shopSource)
    shop.write('terms.txt', 'Pay first.\n')
    const { status, stdout, stderr } = deploy(shop, 'shop.js')
    assert.equal(status, 0, stderr)
    assert.match(stdout, /the folder of the deployment, the variable GREETING/)
    assert.match(stdout, /Start it: deployed\/start/)
  })

  /** Starts, asks, and says what was printed. */
  async function ask(
    program: string,
    how: StartHow,
    variables: Readonly<Record<string, string>> = {},
    expected: object = answer,
  ): Promise<string> {
    const server: StartedFolder = await startFolder(
      program,
      '/',
      { NODE_ENV: '', ...variables },
      how,
    )
    let status: unknown
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}/?count=3`)
      assert.deepEqual(await response.json(), expected)
    } finally {
      status = await server.stop('SIGTERM')
    }
    assert.equal(status, 0)
    return server.output()
  }
  const direct: StartHow = { node, flags: ['--snapshot-blob', blob] }
  const launched: StartHow = { node: join(folder, 'start'), flags: [] }

  test('is started by Node alone', async () => {
    const printed = await ask(folder, direct)
    const lines = printed.split('\n').filter((line) => line.startsWith('{'))
    const logged = lines.map(
      (line) => JSON.parse(line) as { msg: string; pid: number; reqId?: string },
    )
    assert.deepEqual(
      logged.map(({ msg }) => msg.replace(/http.*/, '')),
      ['built', 'Server listening at ', 'incoming request', 'asked', 'told', 'request completed'],
    )
    assert.equal(new Set(logged.map(({ pid }) => pid)).size, 1)
    assert.doesNotMatch(printed, /FrameworkSnapshot/)
  })

  test('is started by its launcher, which passes signals on', async () => {
    const printed = await ask(folder, launched, { NODE: node })
    assert.doesNotMatch(printed, /bundle/)
  })

  test('forks other programs, not itself', async () => {
    shop.write('child.cjs', 'process.send({ flags: process.execArgv })')
    const given = { node, flags: ['--no-deprecation', '--snapshot-blob', blob] }
    const server = await startFolder(folder, '/', { NODE_ENV: '' }, given)
    try {
      const file = encodeURIComponent(join(shop.folder, 'child.cjs'))
      const response = await fetch(`http://127.0.0.1:${server.port}/fork?file=${file}`)
      assert.deepEqual(await response.json(), { flags: ['--no-deprecation'] })
    } finally {
      await server.stop('SIGTERM')
    }
  })

  test('is started from its bundle where a variable has another value', async () => {
    const greeting = 'Good evening'
    const printed = await ask(folder, direct, { GREETING: greeting }, { ...answer, greeting })
    assert.match(printed, /other values of the variable GREETING/)
  })

  test('is started from its bundle where Node is told to connect in another way', async () => {
    const variables = { NODE: node, NODE_OPTIONS: '--no-network-family-autoselection' }
    const printed = await ask(folder, launched, variables, { ...answer, triesAll: false })
    assert.match(printed, /other values of --network-family[^]*started from its bundle/)
  })

  if (isWhole) {
    test('is started from its bundle by a Node that the snapshot is not for', async () => {
      const printed = await ask(folder, launched, { NODE: nodeBinary('22') })
      assert.match(printed, /started from its bundle/)
    })
  }

  for (const [damage, cause] of Object.entries({
    'is cut short': (content: Buffer) => truncateSync(blob, content.length - 200_000),
    'lacks half': (content: Buffer) => truncateSync(blob, content.length >> 1),
    'has two other bytes': (content: Buffer) => {
      content.fill(0, content.length - 1000, content.length - 998)
      content[content.length - 1000] = 255
      writeFileSync(blob, content)
    },
    'is not there': () => rmSync(blob),
  })) {
    test(`is started from its bundle where the snapshot ${damage}`, async (t) => {
      const content = readFileSync(blob)
      t.after(() => writeFileSync(blob, content))
      cause(Buffer.from(content))
      const printed = await ask(folder, launched, { NODE: node })
      assert.match(printed, /started from its bundle/)
    })
  }

  test('is started from its bundle where that is of another build', async (t) => {
    const bundle = shop.read('deployed/index.js')
    t.after(() => shop.write('deployed/index.js', bundle))
    shop.write('deployed/index.js', bundle.replace(/\w{16}\n$/, `${'0'.repeat(16)}\n`))
    const printed = await ask(folder, launched, { NODE: node })
    assert.match(printed, /the bundle belongs to another deployment[^]*started from its bundle/)
  })

  test('is started from its bundle where it has moved, when its place was asked for', async (t) => {
    const elsewhere = join(shop.folder, 'elsewhere')
    renameSync(folder, elsewhere)
    t.after(() => renameSync(elsewhere, folder))
    const how = { node, flags: ['--snapshot-blob', join(elsewhere, 'snapshot.blob')] }
    assert.match(await ask(elsewhere, how), /other values of the folder of the deployment/)
  })
})

describe('a snapshot of an application with many functions', () => {
  const shop = createWorkshop({ after }, 'deploy/post')
  const folder = join(shop.folder, 'deployed')
  const moved = join(shop.folder, 'moved')
  const flags = ['--snapshot-blob', join(moved, 'snapshot.blob')]

  before(async () => {
    shop.write(
      'shop.js',
      `import fastify from 'fastify'
export default function shop() {
  const app = fastify()
  const querystring = { type: 'object', properties: { size: { enum: ['hardly to be found elsewhere'] } } }
  const response = { 200: { type: 'object', properties: { size: { type: 'string' }, read: { type: 'string' } } } }
  let read
  const schema = { summary: 'who reads this reads a file', querystring, response }
  app.get('/', { schema }, async ({ query }) => ({ ...query, read, more: 1 }))
  app.addHook('onReady', async () => { read = schema.summary })
  return app
}
`,
    )
    const { diagnostics } = await deployTo({
      entry: join(shop.folder, 'shop.js'),
      target: 'node',
      out: folder,
      snapshot: true,
      node,
      filesFrom: 0,
    })
    assert.deepEqual(diagnostics, [])
    // It knows of no place.
    renameSync(folder, moved)
  })

  async function ask(path: string): Promise<unknown> {
    const server = await startFolder(moved, '/', { NODE_ENV: '' }, { node, flags })
    try {
      assert.doesNotMatch(server.output(), /FrameworkSnapshot/)
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
      return [response.status, await response.json()]
    } finally {
      await server.stop('SIGKILL')
    }
  }

  const chunk = (): string => {
    const files = shop.list('moved').filter((file) => file.endsWith('.cjs'))
    const found = files.find((file) =>
      shop.read(join('moved', file)).includes('hardly to be found'),
    )
    return join('moved', found as string)
  }

  test('leaves them in the files of the deployment, which it finds wherever they are', async () => {
    assert.ok(!readFileSync(join(moved, 'snapshot.blob')).includes('hardly to be found'))
    const size = 'hardly to be found elsewhere'
    const read = 'who reads this reads a file'
    assert.deepEqual(await ask(`/?size=${encodeURIComponent(size)}`), [200, { size, read }])
    const [status, body] = (await ask('/?size=other')) as [number, { code: string }]
    assert.deepEqual([status, body.code], [400, 'FST_ERR_VALIDATION'])
  })

  test('refuses a request whose functions are those of another build', async (t) => {
    const text = shop.read(chunk())
    const name = chunk()
    t.after(() => shop.write(name, text))
    shop.write(name, text.replace(/(?<=build=)\w{4}/, 'else'))
    const [status, body] = (await ask('/?size=other')) as [number, { code: string }]
    assert.deepEqual([status, body.code], [500, 'FST_ERR_AOT_OTHER_BUILD'])
  })

  test('is not started where one of the files is not there, or cut short', async (t) => {
    const name = chunk()
    const text = shop.read(name)
    t.after(() => shop.write(name, text))
    shop.write(name, text.slice(0, -1))
    await assert.rejects(ask('/'), /exited with 14[^]*cannot be started: "chunks.*" is damaged/)
    rmSync(join(shop.folder, name))
    await assert.rejects(ask('/'), /exited with 14[^]*cannot be started: ENOENT/)
  })
})

if (isWhole) {
  test('an entry that listens itself goes on where the snapshot was taken', async (t) => {
    // What it reads while it is built is to be the same when it is started.
    process.env['PORT'] = '0'
    t.after(() => delete process.env['PORT'])
    const shop = createWorkshop(t, 'deploy/post')
    shop.write(
      'shop.js',
      `import fastify from 'fastify'
  const app = fastify()
  app.get('/', async () => 'open')
  app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).then((address) => console.log(address))
  `,
    )
    const { status, stderr } = deploy(shop, 'shop.js')
    assert.equal(status, 0, stderr)
    const folder = join(shop.folder, 'deployed')
    const flags = ['--snapshot-blob', join(folder, 'snapshot.blob')]
    const server = await startFolder(folder, '/', { NODE_ENV: '' }, { node, flags })
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'open')
    assert.doesNotMatch(server.output(), /FrameworkSnapshot/)
    await server.stop('SIGKILL')
  })
}

test('what a snapshot cannot hold is refused with its place, all of it at once, also where errors are frozen', (t) => {
  const shop = createWorkshop(t, 'deploy/post')
  const lines: Readonly<Record<string, string>> = {
    'webcrypto.getRandomValues(new Uint8Array(1))':
      'every process that starts from the snapshot would have the same',
    'randomUUID()': 'every process that starts from the snapshot would have the same',
    'Math.random()': 'every process that starts from the snapshot would have the same',
    "createSecretKey(Buffer.from('secret'))": 'no snapshot of Node holds keys',
    'Date.now()': 'that moment',
    'new Date()': 'that moment',
    'measured.now()': 'that moment',
    'performance.now()': 'that moment',
    'createServer()': 'does not live on',
    "readFileSync('/etc/hosts')": 'not part of the deployment',
    "readFile('/etc/hosts')": 'not part of the deployment',
    'setInterval(() => {}, 1000).unref()': 'a timer that waits is not kept',
    'process.pid': 'another one in each process',
    '({ ...process.env })': 'all variables',
    "new Intl.NumberFormat('de')": 'holds what it makes',
  }
  const head = `import { createSecretKey, randomUUID, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { performance as measured } from 'node:perf_hooks'
import fastify from 'fastify'
Object.freeze(Error)
export const kept = [
`
  const texts = Object.keys(lines)
  shop.write(
    'shop.js',
    `${head}${texts.map((text) => `  ${text},\n`).join('')}]
export default () => fastify()
`,
  )
  const { status, stderr } = deploy(shop, 'shop.js')
  assert.equal(status, 1)
  for (const [index, text] of texts.entries()) {
    const line = head.split('\n').length + index
    assert.match(stderr, new RegExp(`shop\\.js:${line}:\\d+`), `${text}\n${stderr}`)
    assert.ok(stderr.includes(lines[text] as string), `${text}\n${stderr}`)
  }
})

if (isWhole) {
  test('what ends the process that is built is refused with its place', (t) => {
    const shop = createWorkshop(t, 'deploy/post')
    shop.write(
      'shop.js',
      `import { createServer } from 'node:http'
import fastify from 'fastify'
export const server = createServer()
export default () => fastify()
`,
    )
    const { status, stderr } = deploy(shop, 'shop.js')
    assert.equal(status, 1)
    assert.match(stderr, /shop\.js:3:\d+ {2}AOT_SNAPSHOT_REFUSED\n`http\.createServer/)
  })
}
