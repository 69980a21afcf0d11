/** Engine of deployments for the web, where there is no Node: in a bare context, or in pages of Chromium. */
import { type App, deploymentOf, type Engine, type RunningApp } from '../engines.ts'
import type { JournalEntry } from '../app-process.ts'
import type { ParityRequest } from '../request.ts'
import { toLatin1 } from '../wire.ts'
import type { PlainAnswer, PlainRequest } from './ask.ts'

/** Where a deployment runs. */
export interface Place {
  ask(request: PlainRequest): Promise<PlainAnswer>
  /** All entries so far. */
  journal(): Promise<JournalEntry[]>
  close(): Promise<JournalEntry[]>
}

/** @param open runs the deployment in a folder */
export function webEngine(name: string, open: (folder: string) => Promise<Place>): Engine {
  return { name, flags: () => [], start: (app) => start(app, open) }
}

async function start(app: App, open: (folder: string) => Promise<Place>): Promise<RunningApp> {
  const place = await open(await deploymentOf(app, 'web'))
  return {
    send: (request, id) => place.ask(toPlain(request, id)),
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
    sendRaw: () => Promise.reject(new Error('There are no bytes but those of requests')),
    journal: () => place.journal(),
    close: () => place.close(),
  }
}

const HOST = 'http://shop.test'

function toPlain({ method, target, headers = [], body }: ParityRequest, id: string): PlainRequest {
  return {
    url: HOST + target,
    method,
    headers: [['request-id', id], ...headers],
    body: body === undefined ? null : toLatin1(body),
  }
}

/** https://fetch.spec.whatwg.org/#forbidden-request-header */
const forbiddenHeader =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via|x-(?:http-)?method(?:-override)?)$/i

/**
 * Returns whether a page can send this request. It can't send GET with a body, targets that aren't URLs, headers that browsers write
 * themselves, and a header in two lines.
 */
export function canBeAsked({
  method,
  target,
  headers = [],
  body,
  framing,
}: ParityRequest): boolean {
  const names = headers.map(([name]) => name.toLowerCase())
  return (
    !/^(?:CONNECT|TRACE|TRACK)$/i.test(method) &&
    !(body !== undefined && /^(?:GET|HEAD)$/.test(method)) &&
    !(body !== undefined && framing === 'none') &&
    !(body === undefined && framing !== undefined && framing !== 'none') &&
    isUrl(target) &&
    !names.some((name) => forbiddenHeader.test(name)) &&
    new Set(names).size === names.length
  )
}

function isUrl(target: string): boolean {
  if (!target.startsWith('/')) return false
  const { origin, pathname, search } = new URL(HOST + target)
  return origin === HOST && pathname + search === target
}
