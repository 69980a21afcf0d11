/** A deployed Worker handles the events of its platform, in wrangler: cron triggers, queues, e-mails, logs of other Workers, and calls of its entrypoints. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorkshop } from '../support/workshop.ts'
import { startWrangler } from '../support/wrangler.ts'

const settings = `{
  "name": "shop",
  "compatibility_date": "2026-05-03",
  "compatibility_flags": ["nodejs_compat"],
  "queues": {
    "producers": [{ "binding": "PACKING", "queue": "packing" }],
    "consumers": [{ "queue": "packing", "max_batch_timeout": 1 }],
  },
  "triggers": { "crons": ["0 3 * * *"] },
}
`

const application = `import { WorkerEntrypoint } from 'cloudflare:workers'
import framework from 'framework/5'
import { fetchArguments } from 'framework/fetch'

const notes = []

export async function scheduled({ cron }) {
  notes.push('scheduled ' + cron)
}

export async function queue({ queue, messages }) {
  for (const { body } of messages) notes.push(queue + ' ' + body.id)
}

export async function email({ from, to, headers }) {
  notes.push('email ' + [from, to, headers.get('subject')])
}

export async function tail(events) {
  for (const { logs } of events) for (const { message } of logs) notes.push('tail ' + message.at(-1))
}

export class Greeter extends WorkerEntrypoint {
  greet(name) {
    return 'Hello, ' + name
  }
}

const body = { type: 'object', properties: { id: { type: 'integer' } } }

export default function shop() {
  const app = framework()
  app.get('/notes', async () => notes)
  app.post('/orders', { schema: { body } }, async (request) => {
    await fetchArguments(request)[1].PACKING.send(request.body)
    return {}
  })
  return app
}
`

/** A Worker that calls the shop, and sends it what it logs. */
const caller = {
  'caller/wrangler.jsonc': {
    name: 'caller',
    main: 'caller.js',
    compatibility_date: '2026-05-03',
    services: [
      { binding: 'SHOP', service: 'shop' },
      { binding: 'GREETER', service: 'shop', entrypoint: 'Greeter' },
    ],
    tail_consumers: [{ service: 'shop' }],
  },
  'caller/caller.js': `export default {
  async fetch(request, { SHOP, GREETER }) {
    if (!request.url.endsWith('/greet')) return SHOP.fetch(request)
    console.log('greets')
    return new Response(await GREETER.greet('Ada'))
  },
}
`,
}

const mail =
  'From: ada@a.test\r\nTo: shop@a.test\r\nMessage-ID: <1@a.test>\r\nSubject: Emma\r\n\r\nHello'

const shop = createWorkshop({ after }, 'cli/empty', { 'wrangler.jsonc': settings, ...caller })
shop.writeApp(application).succeed('deploy', 'app.js', '--target', 'workerd')
const deployed = '.framework/deploy/workerd/wrangler.jsonc'

type Ask = (path: string, init?: RequestInit) => Promise<string>

/** Starts Workers, and stops them when `use` is done. */
async function dev(configs: readonly string[], use: (ask: Ask) => Promise<void>): Promise<void> {
  const options = configs.flatMap((file) => ['--config', file])
  const server = await startWrangler(shop.folder, ['dev', ...options])
  try {
    await use(async (path, init) =>
      (await fetch(`http://127.0.0.1:${server.port}${path}`, init)).text(),
    )
  } finally {
    await server.stop()
  }
}

/** Waits for the notes of an event that the platform delivers later. */
async function notesOf(ask: Ask, count: number): Promise<unknown> {
  for (let i = 0; i < 100; i++) {
    const notes = JSON.parse(await ask('/notes')) as unknown[]
    if (notes.length >= count) return notes
    await pause(100)
  }
  return JSON.parse(await ask('/notes'))
}

test('cron triggers, e-mails and messages of a queue', () =>
  dev([deployed], async (ask) => {
    await ask('/cdn-cgi/handler/scheduled?cron=0+3+*+*+*')
    const init = { method: 'POST', body: mail }
    await ask('/cdn-cgi/handler/email?from=ada@a.test&to=shop@a.test', init)
    const headers = { 'content-type': 'application/json' }
    await ask('/orders', { method: 'POST', headers, body: '{ "id": "7" }' })
    const expected = ['scheduled 0 3 * * *', 'email ada@a.test,shop@a.test,Emma', 'packing 7']
    assert.deepEqual(await notesOf(ask, 3), expected)
  }))

test('calls and logs of another Worker', () =>
  dev(['caller/wrangler.jsonc', deployed], async (ask) => {
    assert.equal(await ask('/greet'), 'Hello, Ada')
    assert.deepEqual(await notesOf(ask, 1), ['tail greets'])
  }))
