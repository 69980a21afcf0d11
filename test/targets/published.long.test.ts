/** Published applications on Fastify 5, unmodified, answer on `framework/5` and deployed as on Fastify 5. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../../compiler/index.ts'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { nodeBinary } from './installed.ts'
import { applicationParts } from '../parity/transport.ts'
import { runCommand } from '../support/command-runs.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort, listening } from '../support/ports.ts'
import { root } from '../support/root.ts'
import { assertRulesSeeHooks } from '../support/rules-of-hooks.ts'
import { Connection, toBytes, type Answer } from '../support/wire.ts'
import { serveConfig } from '../support/workerd.ts'
import type { Application } from './published.ts'
import { applications as everywhere } from './published-everywhere.ts'
import { applications as onNode } from './published-on-node.ts'

const fastify = '5.12.8'
const refused = '--disallow-code-generation-from-strings'

for (const [name, application] of Object.entries({ ...everywhere, ...onNode })) {
  describe(`${name} answers as on Fastify 5`, () => {
    const { entry, worker, generatesCode, notOnWorkerd, differsOnWorkerd } = application
    let folder = ''
    let main = ''
    before(() => ({ folder, main } = install(name, application)))
    const flags = generatesCode ? [] : [refused]
    let expected: Promise<readonly Answer[]> | undefined

    /** Compares what `part` leaves of the answers, except to the requests that `differs` matches. */
    const compare = async (
      t: TestContext,
      port: number,
      part = (answers: readonly Answer[]): readonly Answer[] => answers,
      differs = /^$/,
    ): Promise<void> => {
      const actual = part(await answersOf(application, port))
      expected ??= answersOf(application, await startNode(t, application, folder, [entry]))
      const wanted = part(await expected)
      assert.ok(wanted.some(({ status }) => status === 200))
      const titles = application.calls.map(([method, path, headers]) =>
        [method, path, JSON.stringify(headers)].join(' ').trimEnd(),
      )
      const unequal = titles.flatMap((title, i) =>
        isDeepStrictEqual(actual[i], wanted[i]) || differs.test(title) ? [] : [i],
      )
      const [left, right] = [actual, wanted].map((answers) =>
        Object.fromEntries(unequal.map((i) => [titles[i], answers[i]])),
      )
      assert.deepEqual(left, right)
      t.diagnostic(`${titles.length} requests`)
    }

    const deployed = (
      t: TestContext,
      target: string,
      ...args: readonly string[]
    ): { readonly out: string; readonly said: string } => {
      const out = join(temporaryFolder(t), 'out')
      const { stdout, stderr } = runCommand(folder, [
        'deploy',
        ...args,
        '--target',
        target,
        '--out',
        out,
      ])
      return { out, said: stdout + stderr }
    }

    test('with the preload', async (t) => {
      const { status, stderr } = runCommand(folder, ['build', entry])
      assert.equal(status, 0, stderr)
      const manifest = readFileSync(join(folder, '.framework/manifest.json'), 'utf8')
      const { bootStop } = JSON.parse(manifest) as Manifest
      assert.match(bootStop?.message ?? 'boots', application.bootStop ?? /^boots$/)
      expected ??= answersOf(application, await startNode(t, application, folder, [entry]))
      await expected
      // Fastify can't be involved without its main file.
      renameSync(main, `${main}.away`)
      t.after(() => renameSync(`${main}.away`, main))
      const preloads = ['framework/fastify', './.framework/register.js']
      const args = [...flags, ...preloads.flatMap((module) => ['--import', module]), entry]
      await compare(t, await startNode(t, application, folder, args))
    })

    if (application.hasRules)
      test('rules see the hooks that Fastify runs', async (t) => {
        const env = { ...application.env?.(temporaryFolder(t)), SCAN_FASTIFY: dirname(main) }
        const hooks = await assertRulesSeeHooks(folder, entry, env)
        assert.ok(hooks > 0)
        t.diagnostic(`${hooks} hooks`)
      })

    test('deployed to Node', async (t) => {
      const { out, said } = deployed(t, 'node', entry)
      assert.match(said, /Start it: /)
      await compare(t, await startNode(t, application, folder, [...flags, out]))
    })

    test('deployed to workerd', async (t) => {
      const file = worker === undefined ? [entry] : ['worker.mjs', '--late-boot']
      const { out, said } = deployed(t, 'workerd', ...file)
      if (notOnWorkerd === undefined) {
        assert.match(said, /Start it: /)
        await compare(t, await startWorkerd(t, application, out), onWorkerd, differsOnWorkerd)
      } else if (said.includes('Start it: ')) {
        await assert.rejects(startWorkerd(t, application, out), notOnWorkerd)
      } else {
        assert.match(said, notOnWorkerd)
      }
    })
  })
}

/** Returns the folder of the application, outside of node_modules as in a clone of its repository, and Fastify's main file. */
function install(name: string, { version, entry, start, worker, more }: Application) {
  const cache = join(cacheDir, `published-${name.replace(/\W+/g, '-')}`)
  const dependencies = { [name]: version, fastify, ...more }
  installOnce(cache, { dependencies, overrides: { fastify: '$fastify' } }, () => {})
  const folder = join(cache, 'application')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(cache, 'node_modules', name), folder, { recursive: true })
  if (start !== undefined) writeFileSync(join(folder, entry), start)
  if (worker !== undefined) writeFileSync(join(folder, 'worker.mjs'), worker)
  const link = join(cache, 'node_modules/framework')
  rmSync(link, { force: true })
  symlinkSync(join(root, 'runtime'), link)
  return { folder, main: join(cache, 'node_modules/fastify/fastify.js') }
}

/** Returns the port. */
async function startNode(
  t: TestContext,
  { env, node }: Application,
  cwd: string,
  args: readonly string[],
): Promise<number> {
  const port = await freePort()
  const PORT = String(port)
  const child = spawn(node === undefined ? process.execPath : nodeBinary(node), args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT,
      FAUXQS_PORT: PORT,
      ...env?.(temporaryFolder(t)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => void (output += data.toString()))
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}\n${output}`)))
  })
  await Promise.race([listening(port, 300), ended])
  return port
}

/** Returns the port. */
async function startWorkerd(t: TestContext, { env }: Application, out: string): Promise<number> {
  const texts = Object.entries(env?.(temporaryFolder(t)) ?? {}).map(
    ([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)}),`,
  )
  const config = readFileSync(join(out, 'config.capnp'), 'utf8')
    .replace('bindings = [', `$&${texts.join('')}`)
    .replace('compatibilityFlags = [', '$&"disallow_eval_during_startup", ')
  writeFileSync(join(out, 'probe.capnp'), config)
  const { port, stop } = await serveConfig(out, 'probe.capnp')
  t.after(stop)
  return port
}

async function answersOf({ calls, varies }: Application, port: number): Promise<readonly Answer[]> {
  const same = (text: string): string => (varies === undefined ? text : text.replace(varies, ''))
  const answers: Answer[] = []
  for (const [method, target, headers = {}, body] of calls) {
    const connection = new Connection(port)
    const named: [string, string][] = [['host', 'localhost'], ...Object.entries(headers)]
    const request = { title: '', method, target, ...(body !== undefined && { body }) }
    const answer = await connection.send(toBytes(request, named), method)
    connection.close()
    const content = same(answer.body)
    const lengths = new Map([[String(answer.body.length), String(content.length)]])
    answers.push({
      ...answer,
      headers: answer.headers
        .filter(([name]) => name.toLowerCase() !== 'date')
        .map(([name, value]) => [name, lengths.get(value) ?? same(value)] as const),
      body: content,
    })
  }
  return answers
}

/** Removes workerd's own additions and changes, and the times of files, which a Worker lacks: docs/guide/workers.md lists them. */
function onWorkerd(answers: readonly Answer[]): readonly Answer[] {
  const outcomes = answers.map((answer) => {
    const headers = answer.headers.filter(
      ([name, value]) => !/^(?:content-length: 0$|etag:|last-modified:)/i.test(`${name}: ${value}`),
    )
    return { answer: { ...answer, headers }, journal: [] }
  })
  return applicationParts({ outcomes, journal: [] }).outcomes.map(({ answer }) => answer as Answer)
}
