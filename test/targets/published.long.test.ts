/** Published applications on Fastify 5, unmodified, answer on `framework/5` in place of Fastify as on Fastify 5. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { runCommand } from '../support/command-runs.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort, listening } from '../support/ports.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Ask = readonly [method: string, path: string, body?: string]

interface Application {
  readonly version: string
  readonly entry: string
  /** @param folder an empty one */
  env(folder: string): Readonly<Record<string, string>>
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly asks: readonly Ask[]
}

const applications: Readonly<Record<string, Application>> = {
  'turborepo-remote-cache': {
    version: '2.12.0',
    entry: 'dist/index.js',
    env: (folder) => ({
      TURBO_TOKEN: 'secret',
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: folder,
      LOG_LEVEL: 'silent',
    }),
    headers: [
      {},
      ...['wrong', 'secret'].flatMap((token) =>
        ['application/octet-stream', 'application/json'].map((type) => ({
          authorization: `Bearer ${token}`,
          'content-type': type,
        })),
      ),
    ],
    asks: [
      ['GET', '/v8/artifacts/status?slug=team'],
      ['GET', '/v8/artifacts/missing?slug=team'],
      ['PUT', '/v8/artifacts/one?slug=team', '["artifact"]'],
      ['GET', '/v8/artifacts/one?slug=team'],
      ['HEAD', '/v8/artifacts/one?slug=team'],
      ['GET', '/v8/artifacts/one'],
      ['POST', '/v8/artifacts/events', '[]'],
      ['POST', '/v8/clean?olderThan=x', '{}'],
      ['OPTIONS', '/v8/artifacts/one'],
      ['GET', '/favicon.ico'],
      ['GET', '/missing'],
    ],
  },
}

for (const [name, application] of Object.entries(applications)) {
  test(`${name} answers as on Fastify 5`, async (t) => {
    const { version, entry } = application
    const cache = join(cacheDir, `published-${name}`)
    const fastify = '5.12.8'
    const dependencies = { [name]: version, fastify }
    installOnce(cache, { dependencies, overrides: { fastify: '$fastify' } }, () => {})
    // Outside of node_modules, as in a clone of its repository.
    const folder = join(cache, 'application')
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(cache, 'node_modules', name), folder, { recursive: true })
    const link = join(cache, 'node_modules/framework')
    rmSync(link, { force: true })
    symlinkSync(join(root, 'runtime'), link)
    const built = runCommand(folder, ['build', entry])
    assert.equal(built.status, 0, built.stderr)

    const expected = await answersOf(t, application, folder, [])
    const preloads = ['framework/fastify', './.framework/register.js']
    const flags = preloads.flatMap((module) => ['--import', module])
    // Fastify can't be involved without its main file. The application has other packages that generate code.
    const main = join(cache, 'node_modules/fastify/fastify.js')
    renameSync(main, `${main}.away`)
    t.after(() => renameSync(`${main}.away`, main))
    const actual = await answersOf(t, application, folder, flags)
    assert.deepEqual(actual, expected)
    assert.ok(expected.some(([, status]) => status === 200))
  })
}

type Answer = readonly [title: string, status: number, headers: object, text: string]

async function answersOf(
  t: TestContext,
  { entry, env, headers, asks }: Application,
  cwd: string,
  flags: readonly string[],
): Promise<readonly Answer[]> {
  const data = temporaryFolder(t)
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, entry], {
    cwd,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), ...env(data) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  t.after(() => void child.kill('SIGKILL'))
  const origin = `http://127.0.0.1:${port}`
  await listening(port, 200)
  const answers: Answer[] = []
  for (const [method, path, body] of asks) {
    for (const given of headers) {
      const response = await fetch(origin + path, { method, headers: given, body: body ?? null })
      const seen = Object.fromEntries([...response.headers].filter(([one]) => one !== 'date'))
      const title = `${method} ${path} ${JSON.stringify(given)}`
      answers.push([title, response.status, seen, await response.text()])
    }
  }
  return answers
}
