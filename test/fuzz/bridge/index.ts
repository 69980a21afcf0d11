/**
 * `npm run fuzz:bridge -- --cases N --seed S`: random applications on the real Fastify 4.29 and 5, alone and with the functions
 * of an artifact: random whole requests, and all that is answered and seen of them. A schema that the artifact lacks fails.
 *
 * `--line fastify@5` for one line, `--serializers 6.4.0` with that fast-json-stringify.
 */
import { parseArgs } from 'node:util'
import { fastifyLines, fastifyWithSerializers, folderOf } from '../../support/bridged.ts'
import { naturalOf } from '../arguments.ts'
import { differences } from './served.ts'

/** How many requests an application gets. */
const EACH = 1000

// Random options of routers are what Fastify 5 warns of.
process.removeAllListeners('warning')

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    line: { type: 'string' },
    serializers: { type: 'string' },
  },
})
const cases = naturalOf(values, 'cases')
const first = naturalOf(values, 'seed')

for (const line of fastifyLines) {
  if (values.line !== undefined && values.line !== line) continue
  const folder = values.serializers
    ? fastifyWithSerializers(line, values.serializers)
    : folderOf(line)
  let found = 0
  let refused = 0
  let requests = 0
  let seed = first
  const each = Math.min(EACH, cases)
  for (; requests < cases; seed++) {
    const all = await differences(line, seed, each, folder).catch((error: Error) => [
      { title: 'the application', lines: [error.message] },
    ])
    if (all === undefined) {
      refused++
      continue
    }
    requests += each
    for (const { title, lines } of all.slice(0, 3)) {
      console.log(`${line}, seed ${seed}, ${title}\n  ${lines.join('\n  ')}`)
    }
    found += all.length
  }
  console.log(
    `${line}: ${requests} requests to ${seed - first - refused} applications, ${found} differences; ${refused} more do not start either way`,
  )
  if (found > 0) process.exitCode = 1
}
