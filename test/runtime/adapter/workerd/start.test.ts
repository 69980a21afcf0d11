/** The start of a Worker, and its errors if it doesn't start. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bundleWorker } from '../../../support/bundle-worker.ts'
import { root } from '../../../support/root.ts'
import { serveWorker, type WorkerOptions } from '../../../support/workerd.ts'
import { createWorkshop } from '../../../support/workshop.ts'

const depot = createWorkshop({ after }, 'workers/depot')
depot.succeed('build', 'app.js')

/** Starts the Worker as it is now. Returns the output of workerd. */
async function failure(options?: WorkerOptions): Promise<string> {
  const source = await bundleWorker(depot.read('worker.js'), { folder: depot.folder })
  const running = await serveWorker(source, options).catch((error: Error) => error.message)
  if (typeof running === 'string') return running
  await running.stop()
  return 'It has started.'
}

/** Makes a change for the time of `run`. */
async function changed(file: string, from: string, to: string, run: () => Promise<void>) {
  const before = depot.read(file)
  depot.edit(file, from, to)
  try {
    await run()
  } finally {
    depot.write(file, before)
  }
}

test('with its artifact it starts', async () => {
  assert.equal(await failure(), 'It has started.')
})

test('it starts in the first version of workerd that has the parts of Node that it needs', async () => {
  const flags = ['nodejs_compat']
  for (const date of ['2024-09-23', '2026-01-01'])
    assert.equal(await failure({ compatibility: { date, flags } }), 'It has started.')
  const yesterday = { date: '2024-09-22', flags }
  assert.match(await failure({ compatibility: yesterday }), /process is not defined/)
})

test('without an artifact it says what to run', () =>
  changed('worker.js', '{ aot: { artifact } }', '{}', async () => {
    const words = await failure()
    assert.match(words, /POST \/parcels, body has a schema/)
    assert.match(words, /framework build/)
  }))

test('a schema that changed after the build is refused, with route and part', () =>
  changed('app.js', 'maximum: 20', 'maximum: 21', async () => {
    const words = await failure()
    assert.match(words, /no validator for POST \/parcels, body/)
    // Without a manifest, a route that the build hasn't seen looks the same.
    assert.match(
      words,
      /read another schema here, or none: the source changed, .*, or a package declares the route/,
    )
  }))

for (const [what, code] of Object.entries({
  'a plugin': 'app.register((_plugin, _options, _next) => { throw new Error("No parcels today") })',
  'options of a plugin':
    'app.register((_plugin, _options, next) => next(), () => { throw new Error("No parcels today") })',
  'a callback of `after`': 'app.after(() => { throw new Error("No parcels today") })',
  'a callback of `ready`': 'app.ready(() => { throw new Error("No parcels today") })',
})) {
  test(`an error of ${what} is reported and doesn't end a process`, () =>
    changed('app.js', 'const events = []', `const events = []\n${code}`, async () => {
      assert.match(await failure(), /No parcels today/)
    }))
}

/** In Workers with this date, channels report their subscribers in another way than later. */
const asDeployed = { date: '2026-05-01', flags: ['nodejs_compat'] }

test('the application is published to subscribers, and only if there are any', async () => {
  const watched = (
    subscribes: boolean,
  ): string => `import { Channel, subscribe } from 'node:diagnostics_channel'
const { publish } = Channel.prototype
let published = 0
let told = 0
Channel.prototype.publish = function (message) {
  published++
  return publish.call(this, message)
}
${subscribes ? "subscribe('fastify.initialization', ({ fastify }) => (told += typeof fastify.ready === 'function' ? 1 : 0))" : ''}
const app = depot({ aot: { artifact } })
throw new Error(\`published \${published}, told \${told}\`)`
  for (const [subscribes, expected] of [
    [false, /published 0, told 0/],
    [true, /published 1, told 1/],
  ] as const) {
    await changed(
      'worker.js',
      'const app = depot({ aot: { artifact } })',
      watched(subscribes),
      async () => assert.match(await failure({ compatibility: asDeployed }), expected),
    )
  }
})

test('an artifact of another version is refused', () =>
  changed('.framework/worker.mjs', '"version":"', '"version":"0.0.', async () => {
    assert.match(await failure(), /version/)
  }))

test('checked at the first request, a changed schema is refused before the handler', () =>
  changed('app.js', 'maximum: 20', 'maximum: 21', () =>
    changed(
      'worker.js',
      'aot: { artifact }',
      "aot: { artifact, check: 'first-request' }",
      async () => {
        const source = await bundleWorker(depot.read('worker.js'), { folder: depot.folder })
        const { port, stop } = await serveWorker(source)
        try {
          const answer = await fetch(`http://127.0.0.1:${port}/parcels`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"weight":1}',
          })
          assert.equal(answer.status, 500)
          const { code } = (await answer.json()) as { code: string }
          assert.equal(code, 'FST_ERR_AOT_FUNCTION_MISSING')
          assert.equal((await fetch(`http://127.0.0.1:${port}/cookies`)).status, 200)
        } finally {
          await stop()
        }
      },
    ),
  ))

test('a logger needs an import in what is bundled, and logs objects to the console', () =>
  changed('worker.js', 'aot: { artifact }', 'aot: { artifact }, logger: true', async () => {
    assert.match(
      await failure(),
      /"pino" cannot be loaded here: .* import 'framework\/logger' in what you bundle/,
    )
    const page = readFileSync(join(root, 'docs/guide/workers.md'), 'utf8')
    const [, instead] = /^\| `logger: true` in a Worker of your own +\| `(.*?)`/m.exec(page) ?? []
    const log = `${instead}\napp.log.child({ part: 'depot' }).warn({ err: new RangeError('far') }, 'closed')`
    const source = `${depot.read('worker.js')}\n${log}`
    const running = await serveWorker(await bundleWorker(source, { folder: depot.folder }))
    try {
      await running.prints(
        /level: 40,\s+part: 'depot',\s+err: \{[^]*type: 'RangeError'[^]*msg: 'closed'/,
      )
    } finally {
      await running.stop()
    }
  }))

test("development isn't possible there, and the error says what to run", () =>
  changed('worker.js', 'aot: { artifact }', "aot: { mode: 'development' }", async () => {
    assert.match(await failure(), /The compiler cannot be loaded here: run "framework build/)
  }))
