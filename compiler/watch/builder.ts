/**
 * A thread that builds when it is told to. It stays: the compiler is loaded and warm. What it has imported of the application
 * stays with it too, so that it says when it is not to be asked again.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { build } from '../build.ts'
import type { BuildResult, Session } from '../build.ts'
import { hasImported } from '../cache/function-fingerprint.ts'
import type { OnPhase, Phase } from '../compile.ts'
import type { BuildOptions } from '../options.ts'
import { keepErrors } from '../report/thread-errors.ts'

/** What the thread tells. */
export type BuilderMessage =
  | { readonly type: 'phase'; readonly phase: Phase; readonly slow: string | undefined }
  | { readonly type: 'built'; readonly result: BuildResult; readonly isSpent: boolean }

const port = parentPort
if (port === null) throw new Error('This module is a thread of `watch`.')
keepErrors()
const tell = (message: BuilderMessage): void => port.postMessage(message)

const session: Session = {}

port.on('message', () => {
  // An error of the compiler itself ends the thread, and is told by that.
  const onPhase: OnPhase = (phase, slow) => tell({ type: 'phase', phase, slow })
  void build(workerData as BuildOptions, onPhase, session).then((result) =>
    tell({ type: 'built', result, isSpent: hasImported() }),
  )
})
