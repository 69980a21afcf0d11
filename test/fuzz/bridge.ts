/** Random applications on the real Fastify of a line: alone, and with the functions of an artifact. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serialize } from 'node:v8'
import type fastify from 'fastify'
import { detectServer, serializersFor } from '../../compiler/servers/detect.ts'
import type { FastifyLine } from '../../runtime/artifact/lines.ts'
import { compare, type Difference } from '../parity/compare.ts'
import {
  codeKinds,
  headersOfNoContent,
  lostInstancePath,
  serializerDefect,
  spelledMediaType,
} from '../parity/known-kinds.ts'
import { transcribe, type Transcript } from '../parity/transcript.ts'
import { folderOf } from '../support/bridged.ts'
import type { Engine } from '../support/engines.ts'
import { accepted } from './requests/accepted.ts'
import { randomPlan } from './requests/applications.ts'
import { randomRequests } from './requests/exchanges.ts'
import { built, seenOf } from './requests/round.ts'
import { remove } from './requests/served.ts'

const alone: Engine = { name: 'alone', flags: () => [] }

const bridged: Engine = {
  name: 'bridged',
  // Fastify would compile a schema that is not found, which would hide the failure.
  flags: ({ file }) => ['--import', `${join(file, '../.framework/fastify.mjs')}?strict`],
}

/** The runtime in place of Fastify 5, where code generation is refused. */
export const replaced: Engine = {
  name: 'framework/5',
  flags: ({ file }) => [
    '--disallow-code-generation-from-strings',
    '--import',
    'framework/fastify',
    '--import',
    join(file, '../.framework/register.js'),
  ],
}

/**
 * Returns the differences for random requests to the application of a seed; `undefined` if both refuse to start it in the same way.
 *
 * @param folderOfFastify the folder of its package
 */
export async function differences(
  line: FastifyLine,
  seed: number,
  requests: number,
  folderOfFastify: string = folderOf(line),
  engine: Engine = bridged,
): Promise<readonly Difference[] | undefined> {
  const make = createRequire(import.meta.url)(folderOfFastify) as typeof fastify
  const server = { line, folder: folderOfFastify }
  const { plan, app } = await built(await accepted(randomPlan(seed), make), server)
  const areOld =
    serializersFor(detectServer(app.file, dirname(app.file)), line, app.file).as !== 'fastify@5'
  const kinds = [
    ...codeKinds,
    ...(areOld ? [serializerDefect] : []),
    ...(engine === replaced ? [spelledMediaType, lostInstancePath, headersOfNoContent] : []),
  ]
  const planned = randomRequests(plan, requests, seed)
  const exchanges = planned.map(({ exchange }) => exchange)
  writeFileSync(join(app.folder, 'given'), serialize(planned.map((one) => one.given)))
  try {
    const [expected, actual] = await Promise.all([
      transcribe(alone, app, exchanges).catch(refusalOf),
      transcribe(engine, app, exchanges).catch(refusalOf),
    ])
    if (typeof expected === 'string' && expected === actual) return undefined
    if (typeof expected === 'string' || typeof actual === 'string') {
      return [{ title: 'the start', lines: [`- ${textOf(expected)}`, `+ ${textOf(actual)}`] }]
    }
    return compare(exchanges, expected, actual).filter((one) => {
      const seen = seenOf(planned, one, expected, actual)
      return seen === undefined || !kinds.some(({ showsIn }) => showsIn(seen))
    })
  } finally {
    remove(app)
  }
}

/** The error of an application that doesn't start. */
function refusalOf({ message }: Error): string {
  return /^\s*(?:"message": ".*|\w*Error: .*)$/m.exec(message)?.[0] ?? message
}

function textOf(started: Transcript | string): string {
  return typeof started === 'string' ? started : 'starts'
}
