/**
 * Boots applications on the real Fastify, one after the other, and sends their declarations to the parent. None of them listens.
 *
 * One process boots many of them, because loading Fastify takes longer than booting most of them.
 */
import { dirname } from 'node:path'
import { bootApplication } from './scan-application.ts'
import type { Booted, BootRequest } from './scan-oracle.ts'
import { record } from './scan-recording.ts'

process.on('message', (request: BootRequest) => {
  boot(request)
    .catch((error: unknown) => ({ failure: error instanceof Error ? error.stack : String(error) }))
    .then((result) => process.send?.(result))
})
// Timers of an application would keep the process alive.
process.on('disconnect', () => process.exit())

async function boot({ entry, boots }: BootRequest): Promise<Booted> {
  const [mode, name] = boots?.split(' ') ?? []
  // Applications read files relative to it.
  process.chdir(dirname(entry))
  const recording = record()
  const app = await bootApplication(entry, mode, recording, name)
  await app.ready()
  return {
    root: recording.contextOf(app),
    twins: recording.twinSchemas(),
    uses: recording.uses,
    hooks: recording.hooks(),
  }
}
