import type { Platform } from './platform.ts'
import { processWithServer } from './process-with-server.ts'

/** Serves with `Deno.serve`. An entry that calls `listen` itself uses Deno's `node:http`. */
export const deno: Platform = {
  ...processWithServer('openDeno'),
  conditions: ['deno', 'node'],
  schemes: ['npm:', 'jsr:', 'https:', 'http:', 'data:'],
  startCommand: (out) =>
    `deno run --allow-net --allow-env --allow-read --allow-sys ${out}/index.js`,
}
