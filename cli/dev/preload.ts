/**
 * Preloaded into an application under `framework dev`. On a signal it finishes open requests and closes; it
 * reports ports in use and shows uncaught errors with their place.
 */
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { explainFailures, isUncaught, showUncaught } from '../../compiler/failures/index.ts'
import type { ShowPlace } from '../../compiler/failures/index.ts'
import { frameText } from '../text/frame.ts'
import { paintFor } from '../terminal.ts'
import { sendMessage } from './messages.ts'
import { missingSourceText } from './missing-source.ts'
import { keepIdleConnections } from './idle-connections.ts'
import { takenPort, reportTakenPort } from './taken-port.ts'

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

const endIdleConnections = keepIdleConnections(() => sendMessage({ frameworkDev: 'released' }))
let isEnding = false

for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, () => {
    isEnding = true
    clearTimeout(signal)
    endIdleConnections()
    // An application with its own signal handler decides itself when to end.
    const endsItself = process.listenerCount(name) > 0
    void Promise.allSettled([...apps].map((app) => app.close())).then(() => {
      if (!endsItself) process.exit()
    })
  })
}

// Without its channel and servers the process would exit before the signal arrives that closes it properly.
let signal: NodeJS.Timeout | undefined
process.once('disconnect', () => {
  if (isEnding) return
  signal = setTimeout(() => process.kill(process.pid, 'SIGTERM'), SIGNAL_TIMEOUT)
})

const paint = paintFor(process.stderr)
const show: ShowPlace = (place, source, at) =>
  `${paint('cyan', place)}\n${frameText(source, { ...at, file: '' }, paint)}`
explainFailures(undefined, show)
process.on('uncaughtExceptionMonitor', (error: unknown) => {
  if (!isUncaught()) return
  const missing = missingSourceText(error)
  if (missing !== undefined) process.stderr.write(`${missing}\n`)
  // The command has already explained this error, so it needs no stack.
  const isShown =
    missing !== undefined || takenPort(error) !== undefined || showUncaught(error, show)
  if (isShown) process.exit(1)
})
