/** Cloudflare's `wrangler dev`, as docs/platforms.md starts it, without a network. */
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { nodeBinary } from '../nodes/install.ts'
import { installed } from '../targets/installed.ts'

/** Brings the workerd that this repository tests with. */
const VERSION = '4.164.0'

/** A server that runs. */
export interface Wrangler {
  readonly port: number
  stop(): Promise<void>
}

/** Runs a command of it in a folder; rejects with what it has said when that does not serve. */
export async function startWrangler(folder: string, args: readonly string[]): Promise<Wrangler> {
  const local = ['--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0']
  const { child, home } = spawnWrangler(folder, [...args, ...local])
  const kill = (): void => void process.kill(-(child.pid as number), 'SIGKILL')
  process.once('exit', kill)
  const closed = once(child, 'close').then(() => {
    process.removeListener('exit', kill)
    rmSync(home, { recursive: true, force: true })
  })
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        const [, found] = /Ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
        if (found !== undefined) resolve(Number(found))
      })
    }
    child.once('close', (code) => reject(new Error(`exited with ${code}\n${output}`)))
  })
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Runs a command of it that ends, and gives what it has printed. */
export async function runWrangler(folder: string, args: readonly string[]): Promise<string> {
  const { child, home } = spawnWrangler(folder, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  rmSync(home, { recursive: true, force: true })
  if (code !== 0) throw new Error(`exited with ${code}\n${output}`)
  return output
}

function spawnWrangler(
  folder: string,
  args: readonly string[],
): { readonly child: ChildProcessByStdio<null, Readable, Readable>; readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), 'framework-wrangler-'))
  const command = join(installed('wrangler', VERSION), 'bin/wrangler.js')
  const child = spawn(nodeBinary('24'), [command, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      // What it writes for its user, and asks for by the network, is nothing of the test's.
      HOME: home,
      XDG_CONFIG_HOME: home,
      CI: 'true',
      WRANGLER_SEND_METRICS: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return { child, home }
}
