/**
 * Boots applications on the real Fastify, one after the other, and sends what they declare to the parent. Nothing listens.
 *
 * One process for many of them: loading Fastify costs more than what most of them do.
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
  // Where an application finds files that are not modules.
  process.chdir(dirname(entry))
  const recording = record()
  const app = await bootApplication(entry, mode, recording, name)
  await app.ready()
  return { root: recording.contextOf(app), twins: recording.twinSchemas(), uses: recording.uses }
}
