/**
 * Boots applications on the real Fastify, each when it is told to, and tells what they declare. Nothing listens, and no
 * request is sent.
 *
 * One process for many of them: loading Fastify costs more than what most of them do.
 */
import { dirname } from 'node:path'
import { bootApplication } from './scan-application.ts'
import type { BootRequest, BootResult } from './scan-oracle.ts'
import { record } from './scan-recording.ts'

process.on('message', (request: BootRequest) => {
  void boot(request).then((result) => process.send?.(result))
})
// What an application has started would go on.
process.on('disconnect', () => process.exit())

async function boot({ entry, boots }: BootRequest): Promise<BootResult> {
  const [mode, name] = boots?.split(' ') ?? []
  // Where an application finds files that are not modules.
  process.chdir(dirname(entry))
  const recording = record()
  try {
    const app = await bootApplication(entry, mode, recording, name)
    await app.ready()
    return { context: JSON.stringify(recording.contextOf(app)) }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
