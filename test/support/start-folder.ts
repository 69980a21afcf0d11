import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A deployment that runs. */
export interface StartedFolder {
  readonly child: ChildProcess
  readonly port: number
  /** What it has printed. */
  output(): string
  /** Its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

export interface StartHow {
  readonly node?: string
  readonly flags?: readonly string[]
  /** The id of the user. */
  readonly uid?: number | undefined
}

/** Starts a deployment for Node on a free port, where no string may be evaluated. */
export async function startFolder(
  folder: string,
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
  {
    node = process.execPath,
    flags = ['--disallow-code-generation-from-strings'],
    uid,
  }: StartHow = {},
): Promise<StartedFolder> {
  const child = spawn(node, [...flags, folder], {
    cwd,
    ...(uid !== undefined && { uid }),
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production', ...variables },
  })
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        const [, found] = /(?:127\.0\.0\.1:|Open at )(\d+)/.exec(output) ?? []
        if (found !== undefined) resolve(Number(found))
      })
    }
    child.once('close', (code) => reject(new Error(`exited with ${code}\n${output}`)))
  })
  return {
    child,
    port,
    output: () => output,
    async stop(signal) {
      const ended = once(child, 'exit')
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}
