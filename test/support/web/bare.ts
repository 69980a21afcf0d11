import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Host } from '../engines.ts'
import type { PlainAnswer } from './ask.ts'
import type { Place } from './engine.ts'

const file = fileURLToPath(new URL('bare-host.js', import.meta.url))

/** Runs a deployment with the globals of pages only: without Node's modules and globals, and with code generation refused. */
export async function openBare(folder: string): Promise<Place> {
  const child = fork(file, [join(folder, 'index.js')], {
    execArgv: ['--experimental-vm-modules', '--no-warnings'],
  })
  const host = new Host(child, folder)
  await host.port
  return {
    async ask(options) {
      type Answer = Omit<PlainAnswer, 'status'> & { readonly statusCode: number }
      const { statusCode, ...answer } = await host.ask<Answer>({ kind: 'inject', options })
      return { status: statusCode, ...answer }
    },
    journal: () => host.journal(),
    close: () => host.close(),
  }
}
