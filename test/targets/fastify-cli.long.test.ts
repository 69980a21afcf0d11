/** Projects that `npm init fastify` creates start with an artifact by the command that the build shows, and answer the same. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { pack } from '../support/packed.ts'
import { freePort, listening } from '../support/ports.ts'
import { temporaryFolder } from '../support/folders.ts'

/** A template of fastify-cli, and the file of a route in it. */
interface Template {
  readonly flags: readonly string[]
  readonly entry: string
  readonly file: string
  readonly head: string
  readonly cache: string
}

const templates: Readonly<Record<string, Template>> = {
  JavaScript: {
    flags: [],
    entry: 'app.js',
    file: 'routes/books/index.js',
    head: 'module.exports = async function (fastify)',
    cache: 'require.cache',
  },
  'JavaScript with ES modules': {
    flags: ['--esm'],
    entry: 'app.js',
    file: 'routes/books/index.js',
    head: "import { createRequire } from 'node:module'\n\nexport default async function (fastify)",
    cache: 'createRequire(import.meta.url).cache',
  },
  TypeScript: {
    flags: ['--lang=ts'],
    entry: 'src/app.ts',
    file: 'src/routes/books/index.ts',
    head: "import { FastifyInstance } from 'fastify'\n\nexport default async function (fastify: FastifyInstance): Promise<void>",
    cache: 'require.cache',
  },
}

/** The templates have no schemas. */
const routes = (cache: string): string => `{
  fastify.addSchema({ $id: 'title', type: 'string', minLength: 2 })
  const book = {
    type: 'object',
    required: ['title'],
    properties: { title: { $ref: 'title#' }, pages: { type: 'integer' }, at: { type: 'string', format: 'date-time' } },
  }
  const querystring = { type: 'object', properties: { draft: { type: 'boolean', default: false } } }
  fastify.post('/', { schema: { body: book, querystring, response: { 200: book } } }, async (request) => {
    return { ...(request.body as object), draft: request.query, secret: 1 }
  })
  fastify.get('/loaded', async () => {
    const compilers = /node_modules.(ajv.dist.ajv|fast-json-stringify.index)\\.js$/
    return Object.keys(${cache}).filter((file) => compilers.test(file)).length
  })
}
`

const json = { 'content-type': 'application/json' }
const book = (text: string): RequestInit => ({ method: 'POST', headers: json, body: text })

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/'],
  ['/example'],
  ['/nowhere'],
  ['/books', book('{"title":"Emma","pages":"3","other":1}')],
  ['/books?draft=1', book('{"title":"Emma"}')],
  ['/books?draft=true', book('{"title":"Emma","at":"2026-01-02T03:04:05Z"}')],
  ['/books', book('{"title":"Emma","at":"2026-01-02T03:04:05"}')],
  ['/books', book('{"title":"E"}')],
  ['/books', book('{}')],
  ['/books', book('{')],
  ['/books', { method: 'POST' }],
]

const PRELOAD = '--import ./.framework/fastify.mjs?strict'

/** Starts it by a command, sends requests, and stops it; returns separately how many compilers it has loaded. */
async function answers(folder: string, command: string, options: string) {
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_OPTIONS: options,
    FASTIFY_PORT: `${port}`,
    FASTIFY_ADDRESS: '127.0.0.1',
  }
  const child = spawn(command, { cwd: folder, shell: true, detached: true, env, stdio: 'pipe' })
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  child.stderr.on('data', (text) => (said += text))
  const ask = async (path: string, init?: RequestInit): Promise<readonly unknown[]> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const headers = [...response.headers].filter(([name]) => name !== 'date')
    return [response.status, headers, await response.text()]
  }
  try {
    await listening(port, 1200).catch((cause: unknown) => {
      throw new Error(`It does not listen:\n${said}`, { cause })
    })
    const all = []
    for (const [path, init] of requests) all.push(await ask(path, init))
    const [, , loaded] = await ask('/books/loaded')
    return { all, loaded, said }
  } finally {
    if (child.exitCode === null) {
      process.kill(-(child.pid as number), 'SIGTERM')
      await once(child, 'close')
    }
  }
}

const tarballs = pack({ after })

function run(folder: string, command: string): string {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: folder,
    shell: true,
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${command}\n${stdout}\n${stderr}`)
  return stdout
}

/** The commands that the template itself has are those of its users. */
async function compare(folder: string, template: Template, commands: readonly string[]) {
  const { entry, file, head, cache } = template
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  const text = file.endsWith('.ts') ? routes(cache) : routes(cache).replace(' as object', '')
  writeFileSync(join(folder, file), `${head} ${text}`)
  if (file.endsWith('.ts')) run(folder, 'npm run build:ts')
  const shown = run(folder, `npx framework build ${entry}`)
  const { line } = JSON.parse(readFileSync(join(folder, '.framework/manifest.json'), 'utf8')) as {
    line: string
  }
  assert.equal(line, 'fastify@5')
  const [, step = ''] = /Start the application with\n {2}(.*)\n$/.exec(shown) ?? []
  const started = entry.endsWith('.ts') ? 'dist/app.js' : 'app.js'
  assert.equal(
    step,
    `NODE_OPTIONS='--import ./.framework/fastify.mjs' npx fastify start ${started}`,
  )

  const alone = await answers(folder, `npx fastify start ${started}`, '')
  assert.notEqual(alone.loaded, '0')
  const statuses = alone.all.map(([status]) => status)
  assert.deepEqual(statuses, [200, 200, 404, 200, 400, 200, 400, 400, 400, 400, 400])
  for (const [command, options] of [
    [step, ''],
    ...commands.map((one) => [one, PRELOAD]),
  ] as const) {
    const { all, loaded, said } = await answers(folder, command, options)
    assert.deepEqual(all, alone.all, command)
    assert.equal(loaded, '0', `${command} has loaded a compiler`)
    assert.doesNotMatch(said, /artifact/)
  }
}

for (const [name, template] of Object.entries(templates)) {
  test(`npm init fastify: ${name}, as it is today`, async (t) => {
    const folder = temporaryFolder(t)
    run(folder, `npm init -y fastify -- ${template.flags.join(' ')}`)
    run(folder, `npm install --save-dev ${tarballs.runtime} ${tarballs.compiler}`)
    await compare(folder, template, ['npm start', 'npm run dev'])
  })
}
