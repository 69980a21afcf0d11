import type { Platform } from './platform.ts'
import { processWithServer } from './process-with-server.ts'

/** Serves with `Bun.serve`. An entry that calls `listen` itself uses Bun's `node:http`. */
export const bun: Platform = {
  ...processWithServer('openBun'),
  conditions: ['bun', 'node'],
  schemes: ['bun:'],
  startCommand: (out) => `bun ${out}/index.js`,
}
