/** The ways to send requests to the server, each with the required answers. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, headerOf, type Wire } from '../support/wire.ts'

/** A server that closes has answered that it is unavailable. */
export class Refused extends Error {}

/** One request, or several in a row. The client is fresh or idle before, and idle or closed after. */
export type Exchange = (client: Wire, id: string) => Promise<void>

/** Answers to whole, well-formed requests, which a closing server must still send. */
export const orderly: Readonly<Record<string, Exchange>> = {
  get: (client, id) => ask(client, id, get(id), 0),
  'slow handler': (client, id) =>
    ask(client, id, get(id, 1 + (Number(id) % 200)), 1 + (Number(id) % 200)),
  post: (client, id) => ask(client, id, post(id, order(id)), 6),

  async 'slow body'(client, id) {
    const text = post(id, order(id))
    await writeInPieces(client, text, text.indexOf('\r\n\r\n') + 4)
    checkItem(await client.answer(), id, 6)
  },

  async 'slow reader'(client, id) {
    client.write(head('GET', `/streams/${id}/20000`, id))
    await client.more()
    client.socket.pause()
    await sleep(50)
    client.socket.resume()
    const answer = await client.answer()
    check(answer, id, 200)
    assert.equal(answer.body, `${id}\n`.repeat(20_000))
  },
}

/** Everything else: mistakes, broken connections, and more than one request at a time. */
const disorderly: Readonly<Record<string, Exchange>> = {
  async head(client, id) {
    client.write(head('HEAD', `/items/${id}`, id))
    check(await client.answer('HEAD'), id, 200)
  },

  async 'several at once'(client, id) {
    const ids = [1, 2, 3, 4].map((digit) => `${id}${digit}`)
    const [first, second, third, fourth] = ids as [string, string, string, string]
    client.write(get(first, 20) + post(second, order(second)) + get(third) + get(fourth, 5))
    checkItem(await client.answer(), first, 20)
    checkItem(await client.answer(), second, 6)
    checkItem(await client.answer(), third, 0)
    checkItem(await client.answer(), fourth, 5)
  },

  async 'invalid params'(client, id) {
    client.write(head('GET', '/items/none', id))
    checkError(await client.answer(), id, 400, 'params/id must match pattern "^[0-9]+$"')
  },

  async 'invalid body'(client, id) {
    client.write(post(id, JSON.stringify({ id, lines: [{ count: 0 }] })))
    checkError(await client.answer(), id, 400, 'body/lines/0/count must be >= 1')
  },

  async 'malformed body'(client, id) {
    client.write(post(id, '{"id": '))
    checkError(await client.answer(), id, 400, 'Unexpected end of JSON input')
  },

  async 'unknown route'(client, id) {
    client.write(head('GET', `/nowhere/${id}`, id))
    checkError(await client.answer(), id, 404, `Route GET:/nowhere/${id} not found`)
  },

  async failure(client, id) {
    client.write(head('GET', `/failures/${id}`, id))
    checkError(await client.answer(), id, 500, `failure of ${id}`)
  },

  async 'oversized body'(client, id) {
    const text = post(id, JSON.stringify({ id, lines: [], note: 'x'.repeat(100_000) }))
    client.write(text.slice(0, 2000))
    checkError(await client.answer(), id, 413, 'Request body is too large')
  },

  async 'oversized chunks'(client, id) {
    client.write(head('POST', '/orders', id, [...json, 'transfer-encoding: chunked']))
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
    for (let sent = 0; sent <= 16_384; sent += 4096) client.write(chunk)
    checkError(await client.answer(), id, 413, 'Request body is too large')
    // Unlike after a length that is too large, the connection may stay open with the body half sent.
    client.destroy()
  },

  async 'malformed head'(client) {
    client.write('GET / HTTP/9.9\r\n\r\n')
    const answer = await client.answer()
    assert.equal(answer.status, 400)
    assert.equal(headerOf(answer, 'x-id'), undefined)
    client.destroy()
  },

  async 'malformed URL'(client, id) {
    client.write(head('GET', `/items/%${id}%zz`, id))
    const answer = await client.answer()
    assert.equal(answer.status, 400)
    assert.match(answer.body, new RegExp(`'/items/%${id}%zz' is not a valid url component`))
  },

  async 'slow head'(client, id) {
    await writeInPieces(client, get(id), 0)
    checkItem(await client.answer(), id, 0)
  },

  async silence(client) {
    await sleep(100)
    client.destroy()
  },

  async 'aborted head'(client, id) {
    client.write(get(id).slice(0, 20))
    await sleep(10)
    client.destroy()
  },

  async 'aborted body'(client, id) {
    client.write(post(id, order(id)).slice(0, -20))
    await sleep(10)
    client.destroy()
  },

  async 'aborted answer'(client, id) {
    client.write(get(id, 100))
    await sleep(Number(id) % 120)
    client.destroy()
  },

  async 'aborted stream'(client, id) {
    client.write(head('GET', `/streams/${id}/200000`, id))
    await client.more()
    client.destroy()
  },
}

export const exchanges: Readonly<Record<string, Exchange>> = { ...orderly, ...disorderly }

const json = ['content-type: application/json']

async function ask(client: Wire, id: string, text: string, total: number): Promise<void> {
  client.write(text)
  checkItem(await client.answer(), id, total)
}

function get(id: string, wait = 0): string {
  return head('GET', wait === 0 ? `/items/${id}` : `/items/${id}?wait=${wait}`, id)
}

function post(id: string, body: string): string {
  return head('POST', '/orders', id, [...json, `content-length: ${body.length}`]) + body
}

function order(id: string): string {
  return JSON.stringify({ id, lines: [{ count: 1 }, { count: 5 }], note: `for ${id}` })
}

function head(method: string, url: string, id: string, lines: readonly string[] = []): string {
  return [`${method} ${url} HTTP/1.1`, 'host: load.test', `x-id: ${id}`, ...lines, '', ''].join(
    '\r\n',
  )
}

async function writeInPieces(client: Wire, text: string, from: number): Promise<void> {
  client.write(text.slice(0, from + 1))
  const size = Math.ceil((text.length - from - 1) / 4)
  for (let at = from + 1; at < text.length; at += size) {
    await sleep(25)
    client.write(text.slice(at, at + size))
  }
}

function checkItem(answer: Answer, id: string, total: number): void {
  check(answer, id, 200)
  const { id: echoed, total: counted } = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual([echoed, counted], [id, total])
}

function checkError(answer: Answer, id: string, status: number, message: string): void {
  check(answer, id, status)
  assert.equal((JSON.parse(answer.body) as { message: string }).message, message)
}

function check(answer: Answer, id: string, status: number): void {
  if (answer.status === 503) {
    assert.match(answer.body, /"code":"FST_ERR_|Service Unavailable/)
    throw new Refused('the server is closing')
  }
  assert.deepEqual([answer.status, headerOf(answer, 'x-id')], [status, id])
}
