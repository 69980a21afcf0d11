/** The thread that builds, as its owner sees it. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OnPhase } from '../../compiler/model/index.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import type { BuilderMessage } from './builder.ts'

export interface Builder {
  build(): Promise<Extract<BuilderMessage, { type: 'built' }>>
  end(): Promise<number>
}

export function createBuilder(
  options: BuildOptions,
  env: NodeJS.ProcessEnv,
  onPhase: OnPhase,
): Builder {
  const thread = new Worker(new URL('./builder.js', import.meta.url), { workerData: options, env })
  return {
    async build() {
      const messages = on(thread, 'message', { close: ['exit'] })
      thread.postMessage('build')
      // Throws when the thread emits an error.
      for await (const [message] of messages as AsyncIterable<[BuilderMessage]>) {
        if (message.type === 'built') return message
        onPhase(message.phase, message.slow)
      }
      throw new Error('The build was ended.')
    },
    end: () => thread.terminate(),
  }
}
