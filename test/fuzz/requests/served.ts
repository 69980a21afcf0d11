/** Random applications as processes: on the real Fastify, and on ours from what `framework build` writes. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { build } from '../../../compiler/build.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import { transcribe, type Transcript } from '../../parity/transcript.ts'
import { compiled, oracle, type App, type Engine } from '../../support/engines.ts'
import type { PlannedRequest } from './exchanges.ts'
import type { Plan } from './plan.ts'
import { sourceOf } from './source.ts'

/** Inside the checkout, where `framework` and its peers resolve. */
const root = fileURLToPath(new URL(`../../../random-requests-${process.pid}`, import.meta.url))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

export interface Written extends App {
  readonly folder: string
  readonly artifact: string
  readonly server: Server | undefined
}

/** A Fastify that replaces `framework`, and its folder. */
export interface Server {
  readonly line: FastifyLine
  readonly folder: string
}

let count = 0

export function write(plan: Plan, server?: Server): Written {
  const folder = join(root, String(count++))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  let text = sourceOf(plan)
  if (server !== undefined) {
    symlinkSync(server.folder, join(folder, 'node_modules/fastify'))
    text = text
      .replace("from 'framework'", "from 'fastify'")
      .replace("from 'framework/plugin'", "from 'fastify-plugin'")
  }
  const file = join(folder, 'app.js')
  writeFileSync(file, text)
  return {
    folder,
    artifact: join(folder, '.framework'),
    server,
    name: 'random',
    kind: 'factory',
    file,
    source: file,
    requests: '',
    generatesCode: server !== undefined,
  }
}

export function remove({ folder }: Written): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Builds it ahead of time; returns the problems if there are any. */
export async function buildWritten({
  file,
  artifact,
  server,
}: Written): Promise<readonly Diagnostic[]> {
  const line = server && { line: server.line }
  const { diagnostics } = await build({ entry: file, out: artifact, ...line, cache: false })
  return diagnostics
}

/** Returns the answers of both, Fastify's first. Throws the application's own error if it doesn't start. */
export function sendToBoth(
  app: Written,
  planned: readonly PlannedRequest[],
  engine: Engine = compiled,
): Promise<[Transcript, Transcript]> {
  writeFileSync(join(app.folder, 'given'), serialize(planned.map((one) => one.given)))
  const exchanges = planned.map(({ exchange }) => exchange)
  return Promise.all([transcribe(oracle, app, exchanges), transcribe(engine, app, exchanges)])
}
