import type { Platform } from './platform.ts'
import { systemWithServer } from './system.ts'

/** `Bun.serve`; an entry that listens does it with Bun's `node:http`. */
export const bun: Platform = {
  ...systemWithServer('openBun'),
  conditions: ['bun', 'node'],
  schemes: ['bun:'],
  start: (out) => `bun ${out}/index.js`,
}
