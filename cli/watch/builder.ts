/**
 * The thread that builds for `watch`. It is kept between builds, so that the compiler stays loaded and warm. Modules of the
 * application that it has imported stay loaded as well: after such a build it must be replaced.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { build, type BuildResult, type Session } from '../../compiler/build.ts'
import { hasImported } from '../../compiler/cache/function-fingerprint.ts'
import type { OnPhase, Phase } from '../../compiler/model/index.ts'
import type { BuildOptions } from '../../compiler/options.ts'

/** Messages of the thread. */
export type BuilderMessage =
  | { readonly type: 'phase'; readonly phase: Phase; readonly slow: string | undefined }
  | { readonly type: 'built'; readonly result: BuildResult; readonly mustBeReplaced: boolean }

const port = parentPort
if (port === null) throw new Error('This module is a thread of `watch`.')
const send = (message: BuilderMessage): void => port.postMessage(message)

const session: Session = {}

port.on('message', () => {
  // An error of the compiler itself ends the thread, which emits it.
  const onPhase: OnPhase = (phase, slow) => send({ type: 'phase', phase, slow })
  void build(workerData as BuildOptions, onPhase, session).then((result) =>
    send({ type: 'built', result, mustBeReplaced: hasImported() }),
  )
})
