import { strict as assert } from 'node:assert'
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command, Message } from './serve.ts'
import { commandFile } from '../support/command-file.ts'

const dist = fileURLToPath(new URL('../../', import.meta.url))
const artifact = join(dist, 'load')

/** Compiles the schemas of the application that is put under load. */
export function buildArtifact(): void {
  const source = join(dist, '../test/load/application.ts')
  const args = [commandFile, 'build', source, '--out', artifact]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, `framework build failed:\n${stdout}${stderr}`)
}

/** A server in a process of its own, which may generate no code. */
export class ServerProcess {
  /** What it wrote to stderr. */
  complaints = ''
  readonly exit: Promise<string>
  readonly #child: ChildProcess

  constructor(mode: 'sustained' | 'closing') {
    const flags = ['--disallow-code-generation-from-strings', '--expose-gc']
    this.#child = fork(fileURLToPath(new URL('./serve.js', import.meta.url)), [mode], {
      execArgv: [...flags, '--import', join(artifact, 'register.js')],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (data: Buffer) => (this.complaints += data.toString()))
    this.exit = once(this.#child, 'exit').then(([code, signal]) => `${code ?? signal}`)
  }

  /** Sends a command and waits for the answer to it; without one, for the first message. */
  async ask<Name extends Message['name']>(
    command: Command | undefined,
    name: Name,
  ): Promise<Extract<Message, { name: Name }>> {
    if (command !== undefined) this.#child.send(command)
    const answer = once(this.#child, 'message').then(([message]) => message as Message)
    const message = await Promise.race([answer, this.exit])
    if (typeof message === 'string') {
      throw new Error(`The server ended with ${message}:\n${this.complaints}`)
    }
    assert.equal(message.name, name)
    return message as Extract<Message, { name: Name }>
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
