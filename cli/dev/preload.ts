/**
 * What an application under `framework dev` loads first: told to end, it answers what it has begun with, and closes; a port that is
 * taken is told; an error that nobody catches is shown by its place.
 */
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { explainFailures, isUncaught, showUncaught } from '../../compiler/failures/index.ts'
import type { ShowPlace } from '../../compiler/failures/index.ts'
import { frameText } from '../text/frame.ts'
import { paintFor } from '../terminal.ts'
import { tell } from './messages.ts'
import { missingSourceText } from './missing-source.ts'
import { keepNewcomers } from './newcomers.ts'
import { takenPort, tellTaken } from './taken-port.ts'

interface Application {
  readonly server?: unknown
  close(): PromiseLike<unknown>
}

/** When it ends by itself if no signal comes after the end of its channel, in ms. */
const LATEST = 2_000

const apps = new Set<Application>()
subscribe('fastify.initialization', (message) => {
  const { fastify: app } = message as { fastify: Application }
  apps.add(app)
  const { server } = app
  // Whoever waits for the error gets it all the same.
  if (server instanceof EventEmitter) server.on(EventEmitter.errorMonitor, tellTaken)
})

const letNewcomersGo = keepNewcomers(() => tell({ frameworkDev: 'released' }))
let isEnding = false

for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, () => {
    isEnding = true
    clearTimeout(signal)
    letNewcomersGo()
    // An application that handles the signal itself ends when it likes.
    const endsItself = process.listenerCount(name) > 0
    void Promise.allSettled([...apps].map((app) => app.close())).then(() => {
      if (!endsItself) process.exit()
    })
  })
}

// Without its channel and its servers nothing keeps a process alive, and it would be gone before the signal comes that closes it.
let signal: NodeJS.Timeout | undefined
process.once('disconnect', () => {
  if (isEnding) return
  signal = setTimeout(() => process.kill(process.pid, 'SIGTERM'), LATEST)
})

const paint = paintFor(process.stderr)
const show: ShowPlace = (place, source, at) =>
  `${paint('cyan', place)}\n${frameText(source, { ...at, file: '' }, paint)}`
explainFailures(undefined, show)
process.on('uncaughtExceptionMonitor', (error: unknown) => {
  if (!isUncaught()) return
  const missing = missingSourceText(error)
  if (missing !== undefined) process.stderr.write(`${missing}\n`)
  // What is told in the words of the command needs no stack.
  const isShown =
    missing !== undefined || takenPort(error) !== undefined || showUncaught(error, show)
  if (isShown) process.exit(1)
})
