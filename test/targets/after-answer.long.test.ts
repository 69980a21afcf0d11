/** Platforms forget a request that was answered. All parts of it can still be read after the answer. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { LambdaAnswer } from '../../runtime/adapter/lambda/response.ts'
import { toEvent } from '../support/lambda/gateway.ts'
import { createWorkshop } from '../support/workshop.ts'
import { serve, type Served } from './servers.ts'

type Ask = (path: string, init?: RequestInit) => Promise<string>

type Asked = Omit<Served, 'port'> & { readonly ask: Ask }

const shop = createWorkshop({ after }, 'deploy/afterwards')

const targets: Readonly<Record<string, (folder: string) => Promise<Asked>>> = {
  ...Object.fromEntries(
    Object.entries(serve).map(([target, start]) => [
      target,
      async (folder: string) => over(await start(folder)),
    ]),
  ),
  lambda: async (folder) => {
    const { handler } = (await import(pathToFileURL(join(folder, 'index.js')).href)) as {
      handler(event: object, context: object): Promise<LambdaAnswer>
    }
    const ask: Ask = async (target, { method = 'GET', headers = {}, body } = {}) => {
      const entries = Object.entries({ host: 'a.test', ...(headers as Record<string, string>) })
      const bytes = typeof body === 'string' ? Buffer.from(body) : undefined
      const event = toEvent('url', { method, target, headers: entries, body: bytes })
      return (await handler(event, {})).body
    }
    return { ask, output: () => '', stop: async () => undefined }
  },
}

function over({ port, ...server }: Served): Asked {
  const ask: Ask = async (path, init) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, init)).text()
  return { ...server, ask }
}

const json = { 'content-type': 'application/json', 'x-one': 'first' }
const requests: readonly (readonly [path: string, init: RequestInit])[] = [
  ['whole', { headers: { 'x-one': 'first' } }],
  ['whole', { method: 'POST', headers: json, body: '{"a":1}' }],
  ['whole', { method: 'DELETE' }],
  ['stream', {}],
  ['stream', { method: 'POST', headers: json, body: '{"a":1}' }],
]

for (const [target, start] of Object.entries(targets)) {
  test(`${target}: a request is the same before its answer and after it`, async (t) => {
    const out = join(shop.folder, target)
    shop.succeed('deploy', 'app.js', '--target', target, '--out', out)
    const { ask, output, stop } = await start(out)
    t.after(() => stop())
    const noted = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
      await ask(path, init).catch((error: Error) => assert.equal(error.name, 'TimeoutError'))
      for (let i = 0; i < 100; i++) {
        const [note] = JSON.parse(await ask('/notes')) as Record<string, unknown>[]
        if (note !== undefined) return note
        await wait(20)
      }
      throw new Error(`Nothing was noted of ${path}`)
    }
    for (const prefix of ['plain', 'heard']) {
      for (const [path, init] of requests) {
        const before = await noted(`/${prefix}/${path}?when=before`, init)
        const later = await noted(`/${prefix}/${path}?when=after_`, init)
        // Bun tells the address only before the answer, and asking for it takes a tenth of its time.
        if (target === 'bun' && prefix === 'plain' && path === 'whole') before['ip'] = null
        const texts = [before, later].map((note) =>
          JSON.stringify(note).replaceAll('after_', 'before'),
        )
        assert.deepEqual(JSON.parse(texts[1] as string), JSON.parse(texts[0] as string))
      }
    }
    if (target === 'lambda') return
    // A client that leaves ends the stream that is sent, and nothing is printed.
    const leave = { signal: AbortSignal.timeout(300) }
    assert.equal(await noted('/endless', leave), 'destroyed')
    assert.doesNotMatch(output(), /Error/)
  })
}
