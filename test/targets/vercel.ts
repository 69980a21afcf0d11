/** The output of `framework deploy --target vercel`, called with requests and responses of a plain server. */
import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type App,
  deploymentOf,
  type Engine,
  Host,
  askedAt,
  type RunningApp,
} from '../support/engines.ts'

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
  return askedAt(await parent.port, parent)
}
