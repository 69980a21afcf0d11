/** Runs modules in the real workerd, on a free port. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Path of the binary for this platform. */
const { default: binary } = createRequire(import.meta.url)('workerd') as { default: string }

const commands = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

export interface Workerd {
  readonly port: number
  readonly pid: number
  /** Everything that it has printed so far, including logs of the module. */
  output(): string
  /** Waits up to five seconds for output, which may come after the answer. */
  prints(pattern: RegExp): Promise<void>
  stop(): Promise<void>
}

export interface WorkerOptions {
  /** Texts that the module finds in its `env`. */
  readonly bindings?: Readonly<Record<string, string>>
  /** Compatibility settings of workerd. By default today's, with code generation refused. */
  readonly compatibility?: { readonly date: string; readonly flags: readonly string[] }
}

/** By default, workerd allows code generation at start-up. The flag refuses it there, too. */
const today = { date: '2026-11-17', flags: ['disallow_eval_during_startup'] }

/** Serves `source`, an ES module that imports `node:` modules only. Rejects with workerd's output if it doesn't start. */
export async function serveWorker(source: string, options: WorkerOptions = {}): Promise<Workerd> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-workerd-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  writeFileSync(join(folder, 'worker.mjs'), source)
  writeFileSync(join(folder, 'config.capnp'), configOf(options))
  try {
    const running = await serveConfig(folder, 'config.capnp')
    return { ...running, stop: () => running.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

/** Serves the configuration file in `folder`. Rejects with workerd's output if it doesn't start. */
export async function serveConfig(folder: string, config: string): Promise<Workerd> {
  const args = ['serve', config, '--socket-addr=http=127.0.0.1:0', '--control-fd=3']
  // workerd bundles with the esbuild that it finds, as `npx` lets it: the one that comes with the package.
  const env = { ...process.env, PATH: [commands, process.env['PATH']].join(delimiter) }
  const child = spawn(binary, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill()
  process.once('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => void (output += data.toString()))
  }
  const closed = once(child, 'close')
  const stop = async (): Promise<void> => {
    kill()
    await closed
    process.removeListener('exit', kill)
  }
  const prints = async (pattern: RegExp): Promise<void> => {
    for (let i = 0; i < 500 && !pattern.test(output); i++) await pause(10)
    assert.match(output, pattern)
  }
  const events = createInterface(child.stdio[3] as Readable)[Symbol.asyncIterator]()
  const first = await events.next()
  if (first.done === true) {
    await stop()
    throw new Error(output.trim())
  }
  const { port } = JSON.parse(first.value) as { port: number }
  return { port, pid: child.pid as number, output: () => output, prints, stop }
}

function configOf({
  bindings = {},
  compatibility: { date, flags } = today,
}: WorkerOptions): string {
  const texts = Object.entries(bindings).map(
    ([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  bindings = [${texts.join(', ')}],
  compatibilityDate = "${date}",
  compatibilityFlags = [${flags.map((flag) => JSON.stringify(flag)).join(', ')}],
);
`
}
