/** Functions of a request and a response answer as Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testByFetch } from '../parity/by-fetch.ts'
import {
  appNames,
  projectNames,
  type App,
  deploymentOf,
  type Engine,
  Host,
  overSockets,
  type RunningApp,
} from '../support/engines.ts'
import { runsAll } from '../support/runs.ts'

const host = fileURLToPath(new URL('../support/function-main.js', import.meta.url))

/** @param how the body reaches the function */
const deployedVercel = (how: 'unread' | 'read'): Engine => ({
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
  return overSockets(await parent.port, parent)
}

for (const name of runsAll ? [...appNames, ...projectNames] : ['plugin-entry']) {
  testByFetch(deployedVercel('unread'), name, [], { expected: name === 'plugins/csrf' ? 30 : 100 })
}

for (const name of runsAll ? ['bookshop', 'post-office'] : ['commonjs']) {
  testByFetch(deployedVercel('read'), name, [], { expected: 100 })
}
