/**
 * The process that runs slices: definitions come in, plain data goes out. Node's permission model lets it read files, and
 * nothing else.
 *
 * It reads questions without going on meanwhile: what slices have left running rests between them.
 */
import { readSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { deserialize, serialize } from 'node:v8'
import { numberIn, pipe, wordOf, wordSize } from '../frames.ts'
import type { Program } from '../protocol.ts'
import { answer } from './evaluate.ts'
import { closeDoors } from './guard.ts'
import * as volatile from './volatile.ts'
import { watchTheRest } from './waiting.ts'

/** Ends the process; `process.exit` is closed to all. */
const end = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)

watchTheRest()
closeDoors()
volatile.watch(process.argv[2] as string)
// From here on modules import what was put in its place.
syncBuiltinESMExports()
serve().catch((error: unknown) => {
  // Slices have broken what this file stands on.
  writeSync(2, `${error instanceof Error ? error.stack : 'something was thrown'}\n`)
  end(1)
})

async function serve(): Promise<void> {
  for (let program = read(); program !== undefined; program = read()) {
    say(serialize(await answer(program, (position) => say(wordOf(position)))))
  }
  end(0)
}

function read(): Program | undefined {
  const head = readBytes(wordSize)
  const content = head && readBytes(numberIn(head))
  return content && (deserialize(content) as Program)
}

function readBytes(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let have = 0; have < size;) {
    const more = readSync(pipe, bytes, have, size - have, null)
    if (more === 0) return undefined
    have += more
  }
  return bytes
}

function say(content: Uint8Array): void {
  writeBytes(wordOf(content.byteLength))
  writeBytes(content)
}

function writeBytes(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.byteLength;) done += writeSync(pipe, bytes, done)
}
