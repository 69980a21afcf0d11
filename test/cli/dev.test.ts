/** `framework dev`: edits are served, mistakes are shown, and no request fails meanwhile. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorkshop } from '../support/workshop.ts'
import { commandFile } from '../support/command-file.ts'

/** The fixture as an entry that exports its application. */
function asFactory(text: string): string {
  return text
    .replace(
      'const app = framework()',
      'export default function build() {\n  const app = framework()',
    )
    .replace(/console\.log\(await app\.listen.*\n/, '  return app\n}\n')
}

interface Answer {
  readonly status: number
  readonly body: { readonly note: string; readonly word?: string; readonly pid: number }
}

/** Uses a connection of its own: the server may close a kept one while it is idle. */
function ask(url: string, connection?: Socket): Promise<Answer> {
  const over = connection ? { createConnection: () => connection } : { agent: false }
  return new Promise((resolve, reject) => {
    const request = get(url, { ...over, timeout: 20_000 }, (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body: body as Answer['body'] }),
        reject,
      )
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', reject)
  })
}

/** Connects, and sends the request after a pause. */
async function hesitate(url: string): Promise<Answer> {
  const connection = await silent(url)
  await sleep(30)
  assert.ok(!connection.destroyed, 'the connection was closed')
  return ask(url, connection)
}

async function silent(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const connection = connect(Number(port), hostname)
  await once(connection, 'connect')
  return connection
}

test('an edit is served without a request that fails; a mistake is shown while the last good build keeps running', async (t) => {
  const shop = createWorkshop(t, 'dev')
  const dev = shop.open(['dev', 'app.js'])
  const [, url = ''] = await dev.until(/serves at (http:\S+)/)
  const first = await ask(`${url}/?n=6`)
  assert.equal(first.status, 400)

  let asking = true
  const statuses = new Set<number | string>()
  const visitors = [ask, hesitate, hesitate].map(async (visit) => {
    while (asking) {
      try {
        statuses.add((await visit(`${url}/?n=6`)).status)
      } catch (error) {
        statuses.add(String(error))
      }
      await sleep(5)
    }
  })
  shop.edit('app.js', 'maximum: 5', 'maximum: 7')
  await dev.until(/app\.js: built in .* \(1 compiled, 0 reused\)/)
  const [, second = ''] = await dev.until(/serves at (http:\S+)/)
  assert.equal(second, url)
  asking = false
  await Promise.all(visitors)
  const unexpected = [...statuses].filter((one) => one !== 400 && one !== 200)
  assert.deepEqual(unexpected, [])
  assert.equal((await ask(`${url}/?n=6`)).status, 200)

  shop.edit('app.js', "type: 'integer'", "$ref: 'nowhere#'")
  await dev.until(/AOT_REF_UNRESOLVED[\s\S]*\^\^\^[\s\S]*the last good build keeps running/)
  assert.equal((await ask(`${url}/?n=6`)).status, 200)
  shop.edit('app.js', "$ref: 'nowhere#'", "type: 'integer'")
  await dev.until(/serves at/)

  // An edit outside of schemas restarts the application, too.
  shop.edit('note.js', 'one', 'two')
  await dev.until(/note\.js: built in .*serves at/s)
  assert.equal((await ask(url)).body.note, 'two')

  dev.signal('SIGTERM')
  assert.equal(await dev.ended(), 0)
  await assert.rejects(ask(url), { code: 'ECONNREFUSED' })
})

test("idle connections don't hold up an edit", async (t) => {
  const shop = createWorkshop(t, 'dev')
  const hook = "app.addHook('onClose', async () => console.log('closed', note))\n"
  shop.writeApp(shop.read('app.js').replace(/(?<=framework\(\)\n)/, hook))
  const dev = shop.open(['dev', 'app.js'])
  const [, url = ''] = await dev.until(/serves at (http:\S+)/)
  const connection = await silent(url)
  // The server that closes may do so in any way.
  connection.on('error', () => {})
  shop.edit('note.js', 'one', 'two')
  await dev.until(/serves at/)
  assert.equal((await ask(url)).body.note, 'two')
  assert.equal(connection.closed, false)
  await dev.until(/closed one/)
})

test('an application that crashes when it is started again leaves the one before it', async (t) => {
  const shop = createWorkshop(t, 'dev')
  const dev = shop.open(['dev', 'app.js'])
  const [, url = ''] = await dev.until(/serves at (http:\S+)/)
  // The build would refuse code that always ends the process.
  const crash = "if (!process.env.NONE) { console.error('no note'); process.exit(1) }"
  shop.write('note.js', `export const note = 'two'\n${crash}\n`)
  await dev.until(/no note[\s\S]*ended \(exit code 1\); the previous one keeps running/)
  assert.equal((await ask(url)).body.note, 'one')
  shop.write('note.js', "export const note = 'three'\n")
  await dev.until(/serves at/)
  assert.equal((await ask(url)).body.note, 'three')
})

test('an entry that exports its application is started; files with variables are read again', async (t) => {
  const shop = createWorkshop(t, 'dev')
  shop.writeApp(asFactory(shop.read('app.js')))
  shop.write('local.env', 'PORT=0\nWORD=sea\n')
  const dev = shop.open(['dev', 'app.js', '--env-file', 'local.env'])
  await dev.until(/framework starts app\.js, which exports its application and does not listen; /)
  const [, url = ''] = await dev.until(/serves at (http:\S+)/)
  assert.equal(new URL(url).hostname, '127.0.0.1')
  assert.equal((await ask(url)).body.word, 'sea')
  shop.write('local.env', 'PORT=0\nWORD=lake\nHOST=0.0.0.0\n')
  const [, next = ''] = await dev.until(/serves at (http:\S+) \(on all interfaces\)/)
  assert.equal((await ask(next)).body.word, 'lake')
})

test('the inspector keeps its port, and a Unix socket is shown as a path', async (t) => {
  const shop = createWorkshop(t, 'dev')
  shop.edit('app.js', '{ port: Number(process.env.PORT ?? 0) }', "{ path: './app.sock' }")
  const dev = shop.open(['dev', 'app.js', '--inspect'])
  const isInspected =
    /Debugger listening on ws:\/\/127\.0\.0\.1:9229\/\S+[^]*serves at \S+\/app\.sock\n/
  await dev.until(isInspected)
  shop.edit('note.js', 'one', 'two')
  await dev.until(isInspected)
})

test('an application closes before it ends: after an edit, and with the command', async (t) => {
  const hooks = `
app.addHook('preClose', async () => console.log('preparing'))
app.addHook('onClose', async () => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  console.log('closed', note)
})
`
  for (const change of [(text: string) => text, asFactory]) {
    const shop = createWorkshop(t, 'dev')
    const text = shop.read('app.js').replace(/(?<=framework\(\)\n)/, hooks)
    shop.writeApp(change(text))
    const dev = shop.open(['dev', 'app.js'], { env: { HOST: '127.0.0.1', PORT: '0' } })
    await dev.until(/serves at/)
    shop.edit('note.js', 'one', 'two')
    await dev.until(/preparing\s+closed one/)
    dev.signal('SIGTERM')
    await dev.until(/preparing\s+closed two/)
    assert.equal(await dev.ended(), 0)
  }
})

test('a command of the user runs it: what stops before what starts', async (t) => {
  const shop = createWorkshop(t, 'dev')
  shop.write('node_modules/.bin/runner', '#!/bin/sh\nexec node --no-warnings "$@"\n')
  chmodSync(join(shop.folder, 'node_modules/.bin/runner'), 0o755)
  const dev = shop.open(['dev', 'app.js', '--exec', 'runner'])
  const [first = ''] = await dev.until(/http:\S+/)
  const { pid } = (await ask(first)).body
  shop.edit('app.js', 'maximum: 5', 'maximum: 7')
  const [second = ''] = await dev.until(/http:\S+/)
  assert.notEqual((await ask(`${second}/?n=6`)).body.pid, pid)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('the application gets the arguments behind `--` as they are', async (t) => {
  const given = ['--out', "it's $HOME", '', '*']
  for (const exec of [[], ['--exec', 'node --no-warnings']]) {
    const shop = createWorkshop(t, 'dev')
    const note = 'export const note = JSON.stringify(process.argv.slice(2))\n'
    shop.write('note.js', note)
    const dev = shop.open(['dev', 'app.js', ...exec, '--', ...given])
    const [url = ''] = await dev.until(/http:[\w.:/]+/)
    assert.deepEqual(JSON.parse((await ask(url)).body.note), given)
  }
})

test('on a terminal, keys restart, build and quit', async (t) => {
  const shop = createWorkshop(t, 'dev')
  const dev = shop.open(['dev', 'app.js'], { terminal: true })
  await dev.until(/r restart, b build again, q quit/)
  const [, url = ''] = await dev.until(/serves at (http:[\w.:/]+)/)
  const { pid } = (await ask(url)).body
  dev.press('r')
  await dev.until(/serves at/)
  assert.notEqual((await ask(url)).body.pid, pid)
  dev.press('b')
  await dev.until(/built in/)
  dev.press('q')
  assert.equal(await dev.ended(), 0)
  await assert.rejects(ask(url), { code: 'ECONNREFUSED' })
})

test('`build --watch` builds again, and starts nothing', async (t) => {
  const shop = createWorkshop(t, 'dev')
  const build = shop.open(['build', 'app.js', '--watch'])
  await build.until(/built in .*\(1 compiled, 0 reused\)/)
  const before = shop.read('.framework/manifest.json')
  shop.edit('app.js', 'maximum: 5', 'maximum: 7')
  await build.until(/app\.js: built in .*\(1 compiled, 0 reused\)/)
  assert.notEqual(shop.read('.framework/manifest.json'), before)
  shop.edit('app.js', "type: 'integer'", "$ref: 'nowhere#'")
  await build.until(/AOT_REF_UNRESOLVED[\s\S]*not built; waiting for a change\n/)
  build.signal('SIGINT')
  assert.equal(await build.ended(), 0)
  assert.doesNotMatch(build.output, /http:/)
})

test('an entry in TypeScript that nothing installed runs: the message names the next step', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('app.ts', "import framework from 'framework'\nexport default framework()\n")
  // With this flag, releases of Node that strip types don't.
  const flags = 'typescript' in process.features ? ['--no-experimental-strip-types'] : []
  const { status, stderr } = shop.node(...flags, commandFile, 'dev', 'app.ts')
  assert.equal(status, 2)
  assert.match(
    stderr,
    /^Node [\d.]+ does not run TypeScript, and the project has no tsx\. Install it: `npm install --save-dev tsx`\. Or use Node 22\.18 or later, or .*`--exec <command>`\.\n$/,
  )
})

test('@fastify/autoload loads TypeScript, as it does under tsx', async (t) => {
  const shop = createWorkshop(t, 'dev', {
    'routes/note.ts':
      'export { note as default }\nasync function note(app: any) {\n  app.get("/", async () => ({ note: "one" }))\n}\n',
  })
  shop.install('tsx', '@fastify/autoload')
  const text = shop
    .read('app.js')
    .replace(
      /app\.get[^]*?\}\)\)/,
      'app.register(autoload, { dir: `${import.meta.dirname}/routes` })',
    )
  shop.write('app.ts', `import autoload from '@fastify/autoload'\n${text}`)
  for (const options of [[], ['--import', 'tsx'], ['--exec', 'node --import tsx']]) {
    const dev = shop.open(['dev', 'app.ts', ...options])
    const [url] = await dev.until(/http:[\w.:/]+/)
    assert.equal((await ask(url)).body.note, 'one')
  }
})
