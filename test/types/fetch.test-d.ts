import framework from 'framework'
import { fetchArguments, toFetch, type FetchHandler } from 'framework/fetch'
import type { Equal, Expect } from './expect.ts'

interface Env {
  readonly GREETING: string
}

const app = framework()
const handler = toFetch(app, {
  clientAddress: (request) => request.headers.get('cf-connecting-ip'),
})
export type Handler = Expect<Equal<typeof handler, FetchHandler>>
export const worker = {
  fetch: (request: Request, env: Env, context: { waitUntil(promise: Promise<unknown>): void }) =>
    handler(request, env, context),
}

app.get('/', async (request) => {
  const [raw, env] = fetchArguments<[Request, Env]>(request)
  const [same, unknown] = fetchArguments(request)
  type Arguments = [typeof raw, typeof env, typeof same, typeof unknown]
  type Parts = Expect<Equal<Arguments, [Request, Env, Request, unknown]>>
  return {} as { parts?: Parts }
})

toFetch(framework({ http2: true }))
// @ts-expect-error Not an application.
toFetch({})
