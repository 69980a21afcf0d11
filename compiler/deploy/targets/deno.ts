import type { Platform } from './platform.ts'
import { systemWithServer } from './system.ts'

/** `Deno.serve`; an entry that listens does it with Deno's `node:http`. */
export const deno: Platform = {
  ...systemWithServer('openDeno'),
  conditions: ['deno', 'node'],
  schemes: ['npm:', 'jsr:', 'https:', 'http:', 'data:'],
  start: (out) => `deno run --allow-net --allow-env --allow-read --allow-sys ${out}/index.js`,
}
