/** The README's tour, run as it is written: what it shows is what happens. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, listening } from '../support/ports.ts'
import type { Workshop } from '../support/workshop.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsOf } from './tour.ts'
import { commandFile } from '../support/command-file.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')

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

test('the tour of the README does what it shows', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const { info, text } of blocksOf(readme, 'js')) shop.write(info, text)
  const port = await freePort()
  const servers: ChildProcess[] = []
  t.after(() => servers.forEach((server) => server.kill()))
  for (const { command, output } of stepsOf(readme)) {
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
  const [asked] = stepsOf(readme).filter(({ command }) => command.startsWith('curl '))
  assert.equal(servers.length, 1, 'the server of development')
  assert.equal(await runCurl(asked?.command ?? '', port), asked?.output)
})
