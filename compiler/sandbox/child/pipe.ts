/** Reads and writes messages on a pipe to the supervisor. Synchronous: no other code of the process runs meanwhile. */
import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { numberIn, wordOf, wordSize } from '../message-frames.ts'

/** Returns the next message; `undefined` when the other end is closed. */
export function readMessage(pipe: number): unknown {
  const head = readBytes(pipe, wordSize)
  const content = head && readBytes(pipe, numberIn(head))
  return content && (deserialize(content) as unknown)
}

export function writeMessage(pipe: number, message: unknown): void {
  writeContent(pipe, serialize(message))
}

export function writeContent(pipe: number, content: Uint8Array): void {
  writeBytes(pipe, wordOf(content.byteLength))
  writeBytes(pipe, content)
}

function readBytes(pipe: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let have = 0; have < size;) {
    const more = readSync(pipe, bytes, have, size - have, null)
    if (more === 0) return undefined
    have += more
  }
  return bytes
}

function writeBytes(pipe: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.byteLength;) done += writeSync(pipe, bytes, done)
}
