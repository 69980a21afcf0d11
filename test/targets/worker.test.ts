/** A deployed Worker uses its platform, and the exports of its entry: all of it in `npm run test:all`, a sample in `npm test`. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startServer } from '../support/start-server.ts'
import { serveConfig, type Workerd } from '../support/workerd.ts'
import { createWorkshop } from '../support/workshop.ts'
import { runsAll } from '../support/runs.ts'
import { bunBinary, denoBinary } from './installed.ts'

const shop = createWorkshop({ after }, 'deploy/worker')

type Ask = (path: string, body?: object) => Promise<string>

/** Deploys an entry and serves it; `ask` returns status and text. */
async function serve(
  entry: string,
  more: readonly string[],
  use: (ask: Ask, prints: Workerd['prints'], output: Workerd['output']) => Promise<void>,
): Promise<void> {
  deploy(entry, more)
  const { port, prints, output, stop } = await serveConfig(join(shop.folder, 'out'), 'config.capnp')
  try {
    await use(
      async (path, body) => {
        const headers = { 'content-type': 'application/json' }
        const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
        return `${answer.status} ${await answer.text()}`
      },
      prints,
      output,
    )
  } finally {
    await stop()
  }
}

function deploy(entry: string, more: readonly string[]): void {
  shop.succeed('deploy', entry, '--target', 'workerd', '--out', 'out', ...more)
}

test('it reads files, logs, has addresses of clients and injects', () =>
  serve('app.js', [], async (ask, prints) => {
    assert.equal(await ask('/terms'), '200 Pay first.\n')
    assert.equal(await ask('/texts'), '200 ["terms.txt"]')
    assert.equal(await ask('/address'), '200 127.0.0.1')
    const injected = JSON.parse((await ask('/injected')).slice(4)) as object
    assert.deepEqual(injected, {
      status: 200,
      message: 'OK',
      payload: 'noted',
      cookies: [{ name: 'a', value: '1', path: '/' }],
      texts: ['terms.txt'],
      missing: 404,
    })
    await prints(/reqId: 'req-1',\s+req: \{\s+method: 'GET',\s+url: '\/terms'/)
  }))

test('loggers pass objects to the console, by level, with the options of pino', () => {
  shop.install('pino')
  return serve('logs.js', [], async (ask) => {
    const callsOf = async (path: string): Promise<[string, Record<string, unknown>][]> =>
      JSON.parse((await ask(path)).slice(4)) as never
    const levels = (await callsOf('/levels')).filter(([, { msg }]) => msg !== 'incoming request')
    assert.deepEqual(
      levels.map(([method, { level, msg }]) => [method, level, msg]),
      [
        ['debug', 10, 'trace'],
        ['debug', 20, 'debug'],
        ['info', 30, 'info'],
        ['warn', 40, 'warn'],
        ['error', 50, 'error'],
        ['error', 60, 'fatal'],
        ['error', 50, 'too far'],
      ],
    )
    const [, { err, ...last }] = levels.at(-1) as (typeof levels)[number]
    assert.deepEqual(Object.keys(last), ['level', 'time', 'reqId', 'msg'])
    assert.match((err as Error).stack as string, /^RangeError: too far\n +at /)
    assert.deepEqual(await callsOf('/options'), [
      [
        'warn',
        { severity: 'audit', service: 'shop', password: '[Redacted]', order: 7, message: 'kept' },
      ],
      ['warn', { level: 40, own: true, msg: 'by itself' }],
    ])
  })
})

test('hooks and handlers finish their work after the answer', () =>
  serve('works-on.js', [], async (ask, _prints, output) => {
    const paths = [
      'promise',
      'callback',
      'second',
      'stream',
      'handler',
      'later',
      'hook',
      'error',
      'rejects',
    ]
    for (const path of paths) {
      await ask(`/${path}`)
      const noted: string[] = []
      for (let i = 0; i < 50 && !noted.includes(path); i++) {
        await pause(10)
        noted.push(...(JSON.parse((await ask('/notes')).slice(4)) as string[]))
      }
      assert.deepEqual(noted, path === 'second' ? ['first', path] : [path])
    }
    assert.equal(output(), '')
  }))

test('it keeps the event handlers and classes that the entry exports', async () => {
  deploy('app.js', [])
  const worker = (await import(pathToFileURL(join(shop.folder, 'out/index.js')).href)) as {
    default: object
    Counter: unknown
  }
  assert.deepEqual(Object.keys(worker.default), ['scheduled', 'fetch'])
  assert.deepEqual(Object.keys(worker).sort(), ['Counter', 'default'])
})

test('an application that listens is served', () =>
  serve('listens.js', [], async (ask, prints) => {
    assert.equal(await ask('/'), '200 It listens.')
    await prints(/starts'[^]*port 80'[^]*open at http:\/\/localhost/)
  }))

for (const entry of ['fails-once.js', 'listens-once.js']) {
  test(`a late boot that fails is tried again by the next request: ${entry}`, () =>
    serve(entry, ['--late-boot'], async (ask, prints) => {
      assert.match(await ask('/'), /^500/)
      await prints(/The database is away/)
      assert.equal(await ask('/'), '200 {"boots":2}')
      assert.equal(await ask('/'), '200 {"boots":2}')
    }))
}

test('a late boot outlives the request that has started it', async () => {
  // In a folder of its own: a module that was imported once isn't read again.
  shop.succeed('deploy', 'fails-once.js', '--target', 'workerd', '--out', 'late', '--late-boot')
  const { default: worker } = (await import(
    pathToFileURL(join(shop.folder, 'late/index.js')).href
  )) as { default: { fetch(...args: readonly unknown[]): Promise<Response> } }
  const awaited: Promise<unknown>[] = []
  const context = { waitUntil: (promise: Promise<unknown>) => void awaited.push(promise) }
  const answer = worker.fetch(new Request('http://shop.test/'), {}, context)
  assert.equal(awaited.length, 1)
  await assert.rejects(answer, /The database is away/)
  await awaited[0]
})

test('an application that has failed to boot is never served without what failed', () =>
  serve('fails.js', ['--late-boot'], async (ask) => {
    for (let i = 0; i < 3; i++) assert.match(await ask('/'), /^500/)
  }))

function deployObject(target: string): void {
  const { stderr } = shop.framework('deploy', 'already.js', '--target', target, '--out', target)
  assert.match(
    stderr,
    new RegExp(`AOT_TARGET_HANDLERS\\n.*\`queue\`, which ${target} does not call`),
  )
}

test('an object with fetch is used for the web', async () => {
  deployObject('web')
  const deployed = (await import(pathToFileURL(join(shop.folder, 'web/index.js')).href)) as {
    default: { fetch(request: Request): Promise<Response> }
  }
  const answer = await deployed.default.fetch(new Request('http://shop.test/'))
  assert.equal(await answer.text(), 'by hand')
})

if (runsAll) {
  test('a second application that listens is refused', () =>
    assert.rejects(
      serve('two.js', [], async () => {}),
      /A second application calls `listen`/,
    ))

  test('if the entry ends with an error before it listens, that error is reported as the cause', () =>
    serve('loses.js', [], async (ask, prints) => {
      assert.match(await ask('/'), /^500/)
      await prints(/has not called `listen`[^]* await the function that calls `listen`/)
    }))

  test('an entry that runs for the first request may wait before it listens', () =>
    serve('listens-later.js', ['--late-boot'], async (ask) => {
      assert.equal(await ask('/'), '200 It listens.')
    }))

  test('an entry that is a Worker stays one', () =>
    serve('already.js', [], async (ask) => assert.equal(await ask('/'), '200 by hand')))

  const binaries = { deno: [denoBinary, 'run', '-A'], bun: [bunBinary] } as const
  for (const [target, [binary, ...args]] of Object.entries(binaries)) {
    test(`an object with fetch is served by ${target}`, async () => {
      deployObject(target)
      const folder = join(shop.folder, target)
      const { port, stop } = await startServer(binary(), [...args, join(folder, 'index.js')])
      assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'by hand')
      assert.equal(await stop('SIGTERM'), 0)
    })
  }

  for (const entry of ['awaits.js', 'waits.js', 'listens-waits.js', 'hides.js', 'rejects.js']) {
    test(`an application that workerd refuses at start boots for the first request, with the option that the error names: ${entry}`, async () => {
      await assert.rejects(
        serve(entry, [], async () => {}),
        /needs what the platform only allows during requests[^]*`--late-boot`/,
      )
      await serve(entry, ['--late-boot'], async (ask) => {
        assert.equal(await ask('/'), '200 {"number":36}')
        assert.equal(await ask('/'), '200 {"number":36}')
      })
    })
  }

  for (const entry of ['own-compiler.js', 'verbose.js']) {
    test(`code that reads schemas gets them, with or without --keep-schemas: ${entry}`, async () => {
      const answers: string[][] = []
      for (const more of [[], ['--keep-schemas']]) {
        await serve(entry, more, async (ask) => {
          const bodies = [{ item: 'Emma', count: 2 }, { count: 7 }]
          answers.push(await Promise.all(bodies.map((body) => ask('/', body))))
        })
      }
      const [stripped, kept] = answers
      assert.deepEqual(stripped, kept)
      assert.equal(stripped?.[0], '200 {"item":"Emma","count":2}')
      assert.match(stripped?.[1] ?? '', /maxLength/)
    })
  }
}
