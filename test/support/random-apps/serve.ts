/** Builds an application, serves it from its artifact, and compares its answers with those of Fastify. */
import { join } from 'node:path'
import { build } from '../../../compiler/build.ts'
import { compare } from '../../parity/compare.ts'
import { transcribe } from '../../parity/transcript.ts'
import { type App, compiled, oracle } from '../engines.ts'
import type { BootedContext } from '../scan-oracle.ts'
import type { RandomApplication } from './index.ts'
import type { ParityRequest } from '../request.ts'

/** Returns the answers that differ from Fastify's. */
export async function compareAnswers(
  folder: string,
  { kind }: RandomApplication,
  root: BootedContext,
): Promise<string[]> {
  const out = join(folder, '.framework')
  const source = join(folder, 'app.ts')
  const { diagnostics } = await build({ entry: source, out, cache: false })
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => `${code} ${message}`)
  const file = join(folder, 'js/app.js')
  const app: App = {
    name: 'random',
    kind,
    file,
    source,
    artifact: out,
    requests: '',
    generatesCode: false,
  }
  const exchanges = requestsOf(root).map((request, i) => {
    const title = `${i} ${request.method} ${request.target}, ${request.title}`
    return { title, via: 'inject' as const, request: { ...request, title } }
  })
  const [expected, actual] = await Promise.all([
    transcribe(oracle, app, exchanges),
    transcribe(compiled, app, exchanges),
  ])
  return compare(exchanges, expected, actual).flatMap(({ title, lines }) => [title, ...lines])
}

const query = '?name=abc&count=3&flag=true&tags=t&kind=a&item=x&more=1'
const invalid = '?name=abcdef&count=x&flag=9&kind=z'
const body = {
  name: 'abc',
  count: '3',
  flag: 'true',
  tags: 't',
  item: { name: 5 },
  kind: 'a',
  extra: 1,
}

/** For each route one request that may fit and some that may not. */
export function requestsOf(context: BootedContext): ParityRequest[] {
  const own = context.routes.flatMap(({ url, methods }): ParityRequest[] => {
    const path = url.replace(/:\w+/g, '7').replace('*', 'some/where')
    const takesBody = methods.some((method) => ['POST', 'PUT', 'PATCH'].includes(method))
    const withBody = (content: unknown): Partial<ParityRequest> => ({
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(content),
    })
    return methods.flatMap((method) => {
      const other = withBody({ name: { no: 1 }, count: 'x' })
      return [
        { title: 'fits', method, target: path + query, ...(takesBody && withBody(body)) },
        {
          title: 'does not fit',
          method: method === 'GET' ? 'HEAD' : method,
          target: path + invalid,
          ...(takesBody && other),
          headers: [...((takesBody && other.headers) || []), ['accept-version', '1.2.0']],
        },
        { title: 'a list', method, target: path + invalid, ...withBody([]) },
      ]
    })
  })
  return [...own, ...context.children.flatMap(requestsOf)]
}
