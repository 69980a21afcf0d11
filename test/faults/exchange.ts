/** Exchanges with an application, over every transport. */
import { connect as connectHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { takeAnswer, Wire } from '../support/wire.ts'
import { type Host, hosted, hosts } from './hosts.ts'
import type { Ask } from './kinds.ts'

export type Transport = 'http1' | 'http2' | 'inject' | Host
export const transports: readonly Transport[] = ['http1', 'http2', 'inject', ...hosted]

export interface Exchange {
  /** The answers to the request, in order: status and body. */
  readonly answers: readonly string[]
  /** The state of the connection afterwards: `ok` if it serves the next request. */
  readonly next: string
}

export interface Watch {
  /** Milliseconds to wait for an answer. */
  readonly patience: number
  /** Resolves when the request has reached the application. */
  readonly reached: Promise<void>
  /** Called when the request has ended, before the next one is sent. */
  settled(): Promise<void>
}

const DEPTH = 20_000
/** Nested more deeply than a call stack can be; the escaped letter makes the parser search for poisoned keys. */
const deep = (inner: string): string => `${'{"a":'.repeat(DEPTH)}${inner}${'}'.repeat(DEPTH)}`
const BODIES: Partial<Record<Ask, string>> = { deep: deep('{}'), deepText: deep('"\\u0061"') }
const bodyOf = (ask: Ask): string => BODIES[ask] ?? '{"a":1}'
const URLS: Partial<Record<Ask, string>> = { missing: '/missing', badUrl: '/bad/%zz' }
const urlOf = (ask: Ask): string => URLS[ask] ?? '/fault/1?x=1'

/** `undefined` if it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

export function exchange(
  app: FastifyInstance,
  transport: Transport,
  ask: Ask,
  watch: Watch,
): Promise<Exchange> {
  switch (transport) {
    case 'http1':
      return overHttp1(app, ask, watch)
    case 'http2':
      return overHttp2(app, ask, watch)
    case 'inject':
      return byInject(app, ask, watch)
    default:
      return byHost(app, ask, watch)
  }
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port

function bytesOf(ask: Ask): string {
  const head = `POST ${urlOf(ask)} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`
  if (ask === 'malformed') return 'POST /fault/1 HTTP/1.1\r\nhost a\r\n\r\n'
  const body = bodyOf(ask)
  // A client that disconnects has not sent everything.
  const length = ask === 'abort' ? 100 : body.length
  return `${head}content-length: ${length}\r\n\r\n${body}`
}

async function overHttp1(app: FastifyInstance, ask: Ask, watch: Watch): Promise<Exchange> {
  const wire = new Wire(portOf(app))
  const until = (count: number): Promise<unknown> => {
    const enough = async (): Promise<void> => {
      while (!wire.isClosed && answersIn(wire).length < count) await wire.more()
    }
    return within(watch.patience, enough())
  }
  wire.write(bytesOf(ask))
  if (ask === 'abort') {
    await watch.reached
    wire.destroy()
    await watch.settled()
    return { answers: [], next: 'closed' }
  }
  await until(1)
  await watch.settled()
  const first = answersIn(wire)
  if (!wire.isClosed) {
    wire.get('/ok')
    await until(first.length + 1)
  }
  const all = answersIn(wire)
  const next = wire.isClosed ? 'closed' : 'no answer'
  wire.destroy()
  if (all.length > first.length && all.at(-1) === '200 ok') {
    return { answers: all.slice(0, -1), next: 'ok' }
  }
  return { answers: all, next }
}

/** The answers that a server sent; the last one may be cut off. */
function answersIn({ received, isClosed }: Wire): string[] {
  const answers: string[] = []
  for (let rest = received; rest !== '';) {
    const found = takeAnswer(rest, 'POST', isClosed)
    if (found === undefined) return isClosed ? [...answers, `garbage ${rest}`] : answers
    const { status, body, trailers } = found.answer
    const end = found.isCut ? ' cut off' : ''
    answers.push(`${status} ${body}${trailers === undefined ? '' : ` [${trailers}]`}${end}`)
    rest = found.rest
  }
  return answers
}

async function overHttp2(app: FastifyInstance, ask: Ask, watch: Watch): Promise<Exchange> {
  const session = connectHttp2(`http://127.0.0.1:${portOf(app)}`)
  let isClosed = false
  session.on('error', () => {}).on('close', () => (isClosed = true))
  const send = (method: string, url: string, body?: string): [Promise<string>, () => void] => {
    const stream = session.request({
      ':method': method,
      ':path': url,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
    let status = ''
    let text = ''
    let trailers = ''
    stream.on('response', (headers) => (status = String(headers[':status'])))
    stream.on('trailers', (headers) => {
      const { ['x-trailer']: value } = headers
      trailers = ` [x-trailer: ${String(value)}]`
    })
    stream.on('data', (data: Buffer) => (text += data.toString()))
    const answer = new Promise<string>((resolve) => {
      stream.on('error', () => {})
      stream.on('close', () => {
        const isCut = stream.rstCode !== 0
        resolve(status === '' ? '' : `${status} ${text}${trailers}${isCut ? ' cut off' : ''}`)
      })
    })
    if (ask === 'abort') stream.write(body)
    else stream.end(body)
    return [answer, () => stream.close()]
  }
  const [answer, cancel] = send('POST', urlOf(ask), bodyOf(ask))
  if (ask === 'abort') {
    await watch.reached
    cancel()
    await watch.settled()
    session.destroy()
    return { answers: [], next: 'closed' }
  }
  const first = await within(watch.patience, answer)
  await watch.settled()
  const second = isClosed ? 'closed' : await within(watch.patience, send('GET', '/ok')[0])
  session.destroy()
  return {
    answers: first === undefined || first === '' ? [] : [first],
    next: second === '200 ok' ? 'ok' : (second ?? 'no answer'),
  }
}

async function byInject(app: FastifyInstance, ask: Ask, watch: Watch): Promise<Exchange> {
  const url = urlOf(ask)
  const headers = { 'content-type': 'application/json' }
  const sent = Promise.resolve(
    app.inject({ method: 'POST', url, payload: bodyOf(ask), headers }),
  ).then(
    ({ statusCode, body, trailers }) => {
      const shown = Object.entries(trailers ?? {}).map(([name, value]) => `${name}: ${value}`)
      return `${statusCode} ${body}${shown.length === 0 ? '' : ` [${shown.join('\r\n')}]`}`
    },
    () => 'rejected',
  )
  return afterFirst(sent, watch, async () => (await app.inject('/ok')).body)
}

async function byHost(app: FastifyInstance, ask: Ask, watch: Watch): Promise<Exchange> {
  const send = hosts.get(app)!
  const sent = send('POST', urlOf(ask), bodyOf(ask)).catch(() => 'rejected')
  return afterFirst(sent, watch, async () => (await send('GET', '/ok')).replace('200 ', ''))
}

/** Waits for the one answer, and sends the next request without a connection. */
async function afterFirst(
  sent: Promise<string>,
  { patience, settled }: Watch,
  sendNext: () => Promise<string>,
): Promise<Exchange> {
  const answer = await within(patience, sent)
  await settled()
  const next = (await within(patience, sendNext())) ?? 'no answer'
  return { answers: answer === undefined ? [] : [answer], next }
}
