import { emitKeypressEvents } from 'node:readline'

export interface Key {
  readonly name: string
  readonly does: string
  press(): void
}

/** Listens to keys where there is a keyboard. Returns what stops it. */
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
    // In raw mode the terminal makes no signal of it.
    if (ctrl === true && name === 'c') onInterrupt()
    else if (ctrl !== true) keys.find((key) => key.name === name)?.press()
  }
}
