/** Runs Cloudflare's `wrangler`, as docs/guide/platforms.md does, without a network. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary, installed } from '../targets/installed.ts'
import { type Server, startServer } from './start-server.ts'

/** The release that depends on the workerd of the tests. */
const VERSION = '4.164.0'

/** Starts a command that serves. */
export async function startWrangler(folder: string, args: readonly string[]): Promise<Server> {
  const local = ['--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0']
  const { env, home, command } = prepare()
  const server = await startServer(nodeBinary('24'), [command, ...args, ...local], {
    cwd: folder,
    env,
    detached: true,
    pattern: /Ready on http:\/\/127\.0\.0\.1:(\d+)/,
  })
  server.child.once('close', () => rmSync(home, { recursive: true, force: true }))
  return server
}

/** Runs a command that ends. Returns its output. */
export function runWrangler(folder: string, args: readonly string[]): string {
  const { env, home, command } = prepare()
  const { status, stdout, stderr } = spawnSync(nodeBinary('24'), [command, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  rmSync(home, { recursive: true, force: true })
  if (status !== 0) throw new Error(`exited with ${status}\n${stdout}${stderr}`)
  return stdout + stderr
}

/** Gives it a home folder of its own, and no reason to use the network. */
function prepare() {
  const home = mkdtempSync(join(tmpdir(), 'framework-wrangler-'))
  const own = { HOME: home, XDG_CONFIG_HOME: home, CI: 'true', WRANGLER_SEND_METRICS: 'false' }
  const command = join(installed('wrangler', VERSION), 'bin/wrangler.js')
  return { env: { ...process.env, ...own }, home, command }
}
