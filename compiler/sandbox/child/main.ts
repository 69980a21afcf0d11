/**
 * The program of the sandbox: definitions come in, plain data goes out. Node's permission model and the guard only let it read files.
 *
 * It reads requests synchronously, so that timers and promises of evaluated code don't run between them.
 */
import { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { pipe, wordOf } from '../message-frames.ts'
import type { EvaluationRequest } from '../protocol.ts'
import { evaluateRequest } from './evaluate.ts'
import { denyAccess } from './guard.ts'
import { watchNondeterminism } from './nondeterminism.ts'
import { readMessage, writeContent, writeMessage } from './pipe.ts'
import { watchStrayErrors } from './waiting.ts'

/** Exits the process; the guard denies `process.exit`. */
const end = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)

watchStrayErrors()
denyAccess()
watchNondeterminism(process.argv[2] as string)
// Makes named imports of built-in modules see the replaced functions.
syncBuiltinESMExports()
serve().catch((error: unknown) => {
  // For example, evaluated code has replaced something that this file uses.
  writeSync(2, `${error instanceof Error ? error.stack : 'something was thrown'}\n`)
  end(1)
})

async function serve(): Promise<void> {
  for (let request = read(); request !== undefined; request = read()) {
    const reportPosition = (position: number): void => writeContent(pipe, wordOf(position))
    writeMessage(pipe, await evaluateRequest(request, reportPosition))
  }
  end(0)
}

function read(): EvaluationRequest | undefined {
  return readMessage(pipe) as EvaluationRequest | undefined
}
