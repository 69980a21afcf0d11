/**
 * A thread that builds when it is told to. It stays: the compiler is loaded and warm. What it has imported of the application
 * stays with it too, so that it says when it is not to be asked again.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { build } from '../build.ts'
import type { BuildResult } from '../build.ts'
import { hasImported } from '../cache/live.ts'
import type { Phase } from '../index.ts'
import type { BuildOptions } from '../options.ts'

/** What the thread tells. */
export type BuilderMessage =
  | { readonly type: 'phase'; readonly phase: Phase; readonly slow: string | undefined }
  | { readonly type: 'built'; readonly result: BuildResult; readonly isSpent: boolean }

const port = parentPort
if (port === null) throw new Error('This module is a thread of `watch`.')
const tell = (message: BuilderMessage): void => port.postMessage(message)

port.on('message', () => {
  // An error of the compiler itself ends the thread, and is told by that.
  void build(workerData as BuildOptions, (phase, slow) =>
    tell({ type: 'phase', phase, slow }),
  ).then((result) => tell({ type: 'built', result, isSpent: hasImported() }))
})
