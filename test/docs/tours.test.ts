/** The tours of pages, run as they are written: files from named blocks of code, then commands and their output. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, listening } from '../support/ports.ts'
import type { Workshop } from '../support/workshop.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsOf } from './tour.ts'
import { commandFile } from '../support/command-file.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pages: readonly string[] = [
  'README.md',
  'docs/guide/getting-started.md',
  'docs/guide/contexts.md',
  'docs/guide/schemas.md',
  'docs/guide/typebox-and-zod.md',
]
/** Packages that the pages import besides `framework`. */
const libraries: readonly string[] = ['@sinclair', 'zod']

/** The commands of the tour; any other is an error, so that no step goes unchecked. */
async function run(shop: Workshop, command: string, port: number): Promise<string> {
  if (command.startsWith('curl ')) return runCurl(command, port)
  const [first = '', ...rest] = command.split(' && ')
  if (rest.length > 0)
    return (await run(shop, first, port)) + (await run(shop, rest.join(' && '), port))
  const words = command.split(' ')
  if (words[0] === 'sed') {
    for (const [, from = '', to = ''] of command.matchAll(/s\/([^/]*)\/([^/]*)\//g))
      shop.edit('app.js', from, to)
    return ''
  }
  if (command.startsWith('npx framework ')) {
    const { stdout, stderr } = shop.framework(...words.slice(2))
    return stdout || stderr
  }
  if (words[0] === 'node') return shop.node(...words.slice(1)).stderr
  throw new Error(`The tour runs "${command}", which this test does not know.`)
}

/** Matches the shown output, in which `…` matches any text. */
function patternOf(shown: string): RegExp {
  const texts = shown.split('…').map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`^${texts.join('[^]*')}$`)
}

/** Leaves out what differs from run to run, from compiler to compiler and from one Node to the next. */
function normalize(output: string): string {
  return output
    .replace(/[\d.]+ kB of code, [\d.]+ kB as files, built in [\d.]+ s/, '1 kB, built in 1 s')
    .replace(/built in [\d.]+ s \(\d+ compiled, \d+ reused\)/, 'built in 1 s')
    .replace('FastifyError [Error]:', 'FastifyError:')
    .trim()
}

for (const page of pages) {
  test(`the tour of ${page} does what it shows`, (t) =>
    runTour(t, readFileSync(join(root, page), 'utf8')))
}

async function runTour(t: TestContext, page: string): Promise<void> {
  const shop = createWorkshop(t, 'cli/empty')
  for (const library of libraries)
    symlinkSync(join(root, 'node_modules', library), join(shop.folder, 'node_modules', library))
  for (const { info, text } of blocksOf(page, 'js').filter(({ info }) => info !== ''))
    shop.write(info, text)
  const port = await freePort()
  const servers: ChildProcess[] = []
  t.after(() => servers.forEach((server) => server.kill()))
  for (const { command, output } of stepsOf(page)) {
    if (command === 'kill %1') {
      const [server] = servers.splice(0, 1) as [ChildProcess]
      server.kill()
      await once(server, 'exit')
      continue
    }
    const isDevelopment = command.startsWith('npx framework dev ')
    if (command.endsWith(' &') || isDevelopment) {
      const words = command.replace(' &', '').split(' ')
      const args = isDevelopment ? [commandFile, ...words.slice(2)] : words.slice(1)
      const env = { ...process.env, NODE_ENV: '', NO_COLOR: '1', PORT: `${port}` }
      const server = spawn(process.execPath, args, { cwd: shop.folder, env })
      servers.push(server)
      let printed = ''
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (data: Buffer) => void (printed += data.toString()))
      await listening(port)
      for (let i = 0; isDevelopment && i < 300 && !printed.includes('serves at'); i++)
        await wait(100)
      if (isDevelopment) {
        const told = printed.split('\n').filter((line) => line.startsWith('framework '))
        assert.equal(normalize(told.join('\n')).replace(`:${port}`, ':3000'), normalize(output))
      }
      continue
    }
    const actual = normalize(await run(shop, command, port))
    const expected = normalize(output)
    assert.match(actual, patternOf(expected), command)
  }
  const [asked] = stepsOf(page).filter(({ command }) => command.startsWith('curl '))
  // A tour that leaves the server of `framework dev` running: it answers like the one before.
  if (servers.length > 0) assert.equal(await runCurl(asked?.command ?? '', port), asked?.output)
}
