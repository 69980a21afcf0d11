/** Runs a command of `framework` on a pseudo-terminal, whose screen an emulator draws. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { commandFile } from './command-file.ts'
import { type Lasting } from './folders.ts'

/** How long anything may take on a busy machine, in ms. */
const TIMEOUT = 60_000

export interface Terminal {
  /** The visible lines and those that have scrolled out of sight, without empty lines at the end. */
  screen(): Promise<string[]>
  /** Everything printed, including control sequences. */
  readonly printed: string
  /** Resolves when the screen shows a match. */
  until(pattern: RegExp): Promise<void>
  press(keys: string): void
  /** Changes the size of the window, for which the process gets SIGWINCH. */
  resize(columns: number, rows: number): void
  /** Resolves to the exit code as shells see it: 130 after an interrupt. */
  ended(): Promise<number | null>
}

export interface TerminalOptions {
  readonly folder: string
  readonly args: readonly string[]
  readonly columns?: number
}

export async function openTerminal(
  t: Lasting,
  { folder, args, columns = 80 }: TerminalOptions,
): Promise<Terminal> {
  const quoted = [process.execPath, commandFile, ...args].map((one) => `'${one}'`).join(' ')
  const line = `stty rows 24 cols ${columns}; tty; exec ${quoted}`
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...env } = process.env
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...env, TERM: 'xterm-256color', PORT: '0', HOST: '127.0.0.1' },
  })
  const exit = once(child, 'close') as Promise<[number | null]>
  t.after(async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await exit
  })
  const emulator = new xterm.Terminal({
    cols: columns,
    rows: 24,
    scrollback: 1000,
    allowProposedApi: true,
  })
  let device: string | undefined
  let printed = ''
  let head = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const rest = device === undefined ? withoutHead(text) : text
    printed += rest
    emulator.write(rest)
  })
  while (device === undefined && child.exitCode === null) await sleep(5)

  return {
    screen,
    get printed() {
      return printed
    },
    async until(pattern) {
      const end = Date.now() + TIMEOUT
      while (Date.now() < end) {
        if (pattern.test((await screen()).join('\n'))) return
        if (child.exitCode !== null) break
        await sleep(20)
      }
      const shown = (await screen()).join('\n')
      if (!pattern.test(shown)) throw new Error(`${pattern} is not shown:\n${shown}`)
    },
    press: (keys) => child.stdin.write(keys),
    resize(width, height) {
      emulator.resize(width, height)
      const size = ['rows', String(height), 'cols', String(width)]
      const { status } = spawnSync('stty', ['-F', device as string, ...size])
      if (status !== 0) throw new Error(`${device} cannot be resized`)
    },
    ended: async () => (await exit)[0],
  }

  /** Removes the first line, which is the name of the device. */
  function withoutHead(text: string): string {
    head += text
    const end = head.indexOf('\n')
    if (end === -1) return ''
    device = head.slice(0, end).trim()
    return head.slice(end + 1)
  }

  async function screen(): Promise<string[]> {
    await new Promise<void>((resolve) => emulator.write('', resolve))
    const { active } = emulator.buffer
    const lines = Array.from({ length: active.length }, (_, i) =>
      (active.getLine(i)?.translateToString(true) ?? '').trimEnd(),
    )
    return lines.slice(0, lines.findLastIndex((text) => text !== '') + 1)
  }
}
