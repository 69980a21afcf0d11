import { emitKeypressEvents } from 'node:readline'

export interface Key {
  readonly name: string
  readonly description: string
  press(): void
}

/** Listens for keys if standard input is a terminal. Returns a function that stops listening. */
export function listenToKeys(keys: readonly Key[], onInterrupt: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => undefined
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKey)
  stdin.resume()
  return () => {
    stdin.off('keypress', onKey)
    stdin.setRawMode(false)
    stdin.pause()
  }

  function onKey(_: unknown, { name, ctrl }: { name?: string; ctrl?: boolean }): void {
    // In raw mode, Ctrl+C doesn't raise a signal.
    if (ctrl === true && name === 'c') onInterrupt()
    else if (ctrl !== true) keys.find((key) => key.name === name)?.press()
  }
}
