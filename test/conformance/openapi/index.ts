/**
 * Compares what `framework openapi` writes of published applications, without starting them, with what their own
 * @fastify/swagger writes when they run on their own Fastify.
 *
 *     npm run conformance:openapi
 *
 * `-- hirosystems` takes only those whose name has one of the words. Needs git and the network the first time.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { differing } from '../../support/differing.ts'
import { applications, type Application } from './applications.ts'
import { fetchApplication } from './sources.ts'
import { commandFile } from '../../support/command-file.ts'

interface Result {
  readonly document: { readonly paths: object }
  readonly unknown: readonly string[]
}

const program = fileURLToPath(new URL('boot.js', import.meta.url))
const tsx = import.meta.resolve('tsx')

const words = process.argv.slice(2)
const wanted = applications.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
let failures = 0
for (const application of wanted) {
  const folder = fetchApplication(application)
  const { document, unknown } = written(application, folder)
  const fair = await booted(application, folder)
  const complaints = [
    ...surprises('unknown', unknown, application.unknown),
    ...surprises('different', [...differing(document, fair)], application.differences),
  ]
  failures += complaints.length
  const paths = Object.keys(document.paths).length
  console.log(`${application.name.padEnd(46)}${String(paths).padStart(4)} paths`)
  for (const complaint of complaints) console.error(`  ${complaint}`)
}
process.exitCode = failures === 0 && wanted.length > 0 ? 0 : 1

function written({ entry }: Application, folder: string): Result {
  const output = execFileSync(process.execPath, [commandFile, 'openapi', entry, '--json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (JSON.parse(output) as { result: Result }).result
}

async function booted({ name, environment }: Application, folder: string): Promise<object> {
  const { PATH = '', HOME = '' } = process.env
  const child = fork(program, [name, folder], {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: 'test', ...environment },
    execArgv: ['--import', tsx],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [document] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} does not boot, and ends with ${code}`)
    }),
  ])) as [object | null]
  if (document === null) throw new Error(`${name} has no @fastify/swagger`)
  return document
}

/** What is found and not expected, and what is expected and not found. */
function surprises(
  what: string,
  found: readonly string[],
  expected: readonly string[] = [],
): readonly string[] {
  return [
    ...found.filter((one) => !expected.includes(one)).map((one) => `${what}: ${one}`),
    ...expected.filter((one) => !found.includes(one)).map((one) => `not ${what}: ${one}`),
  ]
}
