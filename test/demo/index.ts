/**
 * `npm run demo`: builds the bookshop, serves it from a process that refuses to generate code, sends it a few
 * things, and compares what its start costs with the same application on Fastify.
 */
import type { ChildProcess } from 'node:child_process'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { median } from '../bench/median.ts'
import { commandFile } from '../support/command-file.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const compiled = join(root, 'dist/fixtures/apps/bookshop')
const onFastify = join(root, 'dist/demo/bookshop-on-fastify')
const starter = fileURLToPath(new URL('serve.js', import.meta.url))
const out = join(root, 'dist/demo/.framework')
const register = ['--import', pathToFileURL(join(out, 'register.js')).href]
const noCodegen = '--disallow-code-generation-from-strings'
const STARTS = 5

console.log('1. framework build fixtures/apps/bookshop/app.ts\n')
const build = spawnSync(
  process.execPath,
  [commandFile, 'build', 'fixtures/apps/bookshop/app.ts', '--out', relative(root, out)],
  { cwd: root, encoding: 'utf8' },
)
if (build.status !== 0) throw new Error(build.stderr)
const app = join(compiled, 'app.js')
const lines = build.stdout.trim().split('\n')
console.log(indent(lines.slice(-5).join('\n')))
console.log(`
   A part is a body, query string, params, headers or response with a schema. "Compiled" ones are written out in the source. For those
   "computed by the build", it evaluated the code that creates the schema. Those left to "your own compiler" are validated by
   a function that the application passes to setValidatorCompiler.`)
// The start command that the build prints, with a flag of Node's and a free port.
const [, ...started] = (lines.at(-1) as string).trim().split(' ')

console.log(`\n2. node ${[noCodegen, ...started].join(' ')}\n`)
const child = spawn(process.execPath, [noCodegen, ...started], {
  cwd: root,
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [greeting] = (await once(child.stdout, 'data')) as [Buffer]
const address = String(greeting).trim().replace('Listening at ', '')
const emma = {
  isbn: '9780141439587',
  title: 'Emma',
  authors: 'austen',
  secret: 'not in the schema',
}
await ask('What is decorated on the request:', 'GET', '/visitors/three')
await ask('Refused, because the size is not a number:', 'GET', '/v1/books?size=many')
await ask('Refused, because the book has no price:', 'POST', '/v1/books', emma)
await ask(
  'With a price, whose amount becomes a number; the answer leaves out the secret:',
  'POST',
  '/v1/books',
  { ...emma, price: { amount: '799', currency: 'GBP' } },
)
await ask('No such route:', 'GET', '/nowhere')
child.kill()

console.log(
  `\n3. What startup costs, until the server listens (median of ${STARTS} starts, alternately)\n`,
)
copyForFastify()
const baseline = fileURLToPath(new URL('baseline.js', import.meta.url))
const neither: number[] = []
const framework: number[] = []
const fastify: number[] = []
for (let i = 0; i < STARTS; i++) {
  neither.push(await costOfStart(baseline, []))
  framework.push(await costOfStart(app, [noCodegen, ...register]))
  fastify.push(await costOfStart(join(onFastify, 'app.js'), []))
}
const [ours, theirs] = [median(framework), median(fastify)]
console.log(
  `   Node and the bookshop's own packages   ${median(neither).toFixed(0).padStart(4)} ms of CPU`,
)
console.log(`   the same, with Fastify 4.21            ${theirs.toFixed(0).padStart(4)} ms of CPU`)
console.log(
  `   the same, with framework               ${ours.toFixed(0).padStart(4)} ms of CPU, ${(theirs / ours).toFixed(1)} times less`,
)

interface Started {
  readonly child: ChildProcess
  readonly address: string
  readonly cpu: number
}

function serve(module: string, execArgv: string[]): Promise<Started> {
  return new Promise((resolve, reject) => {
    const child = fork(starter, [module], { execArgv })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${module} exited with ${code}`)))
    child.once('message', (message: { address: string; cpu: number }) =>
      resolve({ child, ...message }),
    )
  })
}

async function costOfStart(module: string, execArgv: string[]): Promise<number> {
  const { child, cpu } = await serve(module, execArgv)
  child.kill()
  return cpu
}

async function ask(title: string, method: string, path: string, body?: object): Promise<void> {
  const init = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }
  const response = await fetch(address + path, { method, ...init })
  console.log(`   ${title}`)
  console.log(`   ${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`)
  console.log(`   ${response.status} ${shorten(await response.text())}\n`)
}

/** The same compiled files; only the names in the imports differ. */
function copyForFastify(): void {
  rmSync(onFastify, { recursive: true, force: true })
  cpSync(compiled, onFastify, { recursive: true })
  for (const name of readdirSync(onFastify, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue
    const file = join(onFastify, name)
    const source = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      source
        .replaceAll(/(['"])framework\/plugin\1/g, "'fastify-plugin'")
        .replaceAll(/(['"])framework\1/g, "'fastify'"),
    )
  }
}

function shorten(text: string): string {
  return text.length > 150 ? `${text.slice(0, 150)}...` : text
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ')
}
