/** The output of `framework deploy --target vercel`, called with requests and responses of a plain server. */
import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type App,
  deploymentOf,
  type Engine,
  Host,
  Lanes,
  type RunningApp,
} from '../support/engines.ts'
import type { JournalEntry } from '../support/app-process.ts'

const host = fileURLToPath(new URL('../support/function-main.js', import.meta.url))

/** @param how the body reaches the function */
export const deployedVercel = (how: 'unread' | 'read'): Engine => ({
  name: `deployed-vercel-${how}`,
  flags: () => [],
  start: (app) => start(app, how),
})

async function start(app: App, how: string): Promise<RunningApp> {
  const folder = await deploymentOf(app, 'vercel')
  const child = fork(host, [join(folder, 'functions/application.func/index.js'), how], {
    cwd: dirname(app.source),
    execArgv: app.generatesCode ? [] : ['--disallow-code-generation-from-strings'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const parent = new Host(child, `${app.name} as a function`)
  const lanes = new Lanes(await parent.port)
  return {
    send: (request, id, lane) => lanes.send(request, id, lane),
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
    sendRaw: (request) => lanes.sendRaw(request),
    journal: () => parent.ask<JournalEntry[]>({ kind: 'journal' }),
    close: async () => {
      lanes.close()
      const journal = await parent.ask<JournalEntry[]>({ kind: 'close' })
      child.disconnect()
      return journal
    },
  }
}
