/** Builds an application, serves it from its artifact, and compares its answers with those of Fastify. */
import { join } from 'node:path'
import { build } from '../../../compiler/build.ts'
import { compare } from '../../parity/compare.ts'
import { transcribe } from '../../parity/transcript.ts'
import { type App, compiled, oracle } from '../engines.ts'
import type { BootedContext } from '../scan-oracle.ts'
import type { RandomApplication } from './index.ts'
import { requestsOf } from './requests.ts'

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
