/**
 * Preloaded into an application under `framework dev`. On a signal it finishes open requests and closes; it
 * reports ports in use and shows uncaught errors with their place.
 */
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { explainFailures, isUncaught, showUncaught } from '../../compiler/dev/failures/index.ts'
import type { ShowPlace } from '../../compiler/dev/failures/index.ts'
import { frameText } from '../text/frame.ts'
import { paintFor } from '../terminal.ts'
import { keepIdleConnections } from './idle-connections.ts'
import { portText, sendMessage, takenPort } from './ports.ts'

interface Application {
  readonly server?: unknown
  close(): PromiseLike<unknown>
}

/** How long to wait for a signal after the channel is closed, in ms. */
const SIGNAL_TIMEOUT = 2_000

const apps = new Set<Application>()
subscribe('fastify.initialization', (message) => {
  const { fastify: app } = message as { fastify: Application }
  apps.add(app)
  const { server } = app
  // Listeners of the application still get the error.
  if (server instanceof EventEmitter) server.on(EventEmitter.errorMonitor, reportTakenPort)
})

function reportTakenPort(error: unknown): void {
  const taken = takenPort(error)
  if (taken !== undefined && !sendMessage(taken)) console.error(`framework ${portText(taken)}`)
}

const endIdleConnections = keepIdleConnections(() => sendMessage('released'))
let isEnding = false

for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, () => {
    isEnding = true
    clearTimeout(signalTimer)
    endIdleConnections()
    // An application with its own signal handler decides itself when to end.
    const endsItself = process.listenerCount(name) > 0
    void Promise.allSettled([...apps].map((app) => app.close())).then(() => {
      if (!endsItself) process.exit()
    })
  })
}

// Without its channel and servers the process would exit before the signal arrives that closes it properly.
let signalTimer: NodeJS.Timeout | undefined
process.once('disconnect', () => {
  if (isEnding) return
  signalTimer = setTimeout(() => process.kill(process.pid, 'SIGTERM'), SIGNAL_TIMEOUT)
})

const paint = paintFor(process.stderr)
const show: ShowPlace = (place, source, at) =>
  `${paint('cyan', place)}\n${frameText(source, { ...at, file: '' }, paint)}`
explainFailures(undefined, show)
process.on('uncaughtExceptionMonitor', (error: unknown) => {
  if (!isUncaught()) return
  const missing = missingSourceText(error)
  if (missing !== undefined) process.stderr.write(`${missing}\n`)
  // An explained error needs no stack.
  const isShown =
    missing !== undefined || takenPort(error) !== undefined || showUncaught(error, show)
  if (isShown) process.exit(1)
})

/** Explains a failed import of `./x.js` where only `./x.ts` exists: Node strips types but doesn't rewrite paths. */
function missingSourceText(error: unknown): string | undefined {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  const [, stem, kind = '', importer = ''] =
    /^Cannot find module '(.+)\.([cm]?)jsx?' imported from (.+)$/.exec(message) ?? []
  if (code !== 'ERR_MODULE_NOT_FOUND' || stem === undefined) return undefined
  const source = [`${stem}.${kind}ts`, `${stem}.tsx`].find((file) => existsSync(file))
  if (source === undefined) return undefined
  const [imported, existing, from] = [`${stem}.${kind}js`, source, importer].map((file) =>
    path.relative(process.cwd(), file),
  )
  return `${from} imports ${imported}, but only ${existing} exists. Node runs TypeScript, but doesn't rewrite the paths of imports. Install tsx: \`npm install --save-dev tsx\`.`
}
