import { VIRTUAL } from '../virtual.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** Serves with `Bun.serve`. An entry that calls `listen` itself uses Bun's `node:http`. */
export const bun: Platform = {
  ...processWithServer('openBun'),
  conditions: ['bun', 'node'],
  schemes: ['bun:'],
  startCommand: (out) => `bun ${out}/index.js`,
}

/** Serves with `Deno.serve`. An entry that calls `listen` itself uses Deno's `node:http`. */
export const deno: Platform = {
  ...processWithServer('openDeno'),
  conditions: ['deno', 'node'],
  schemes: ['npm:', 'jsr:', 'https:', 'http:', 'data:'],
  startCommand: (out) =>
    `deno run --allow-net --allow-env --allow-read --allow-sys ${out}/index.js`,
}

/** A process of a JavaScript runtime with its own server. @param open the function of our runtime that starts this server */
function processWithServer(
  open: 'openBun' | 'openDeno',
): Omit<Platform, 'conditions' | 'schemes' | 'startCommand'> {
  return {
    format: 'es',
    hasProcesses: true,
    calls: ['fetch'],
    onDemand: 'files',
    // The platform's server passes requests alone.
    hasConnections: ({ kind }) => kind === 'itself',
    environment: onNode(() => 'import.meta.dirname'),
    prelude: asMain,
    main({ file, start }) {
      const from = JSON.stringify(file)
      if (start.kind === 'itself') {
        if (!start.exportsFetch) return `import ${from}\n`
        return `import { ${open}, serve, servedBy } from '${VIRTUAL}runtime'
import entry from ${from}
serve(...servedBy(entry, ${open}))
`
      }
      return `import framework from 'framework'
import { toFetch } from 'framework/fetch'
import { applicationOf, ${open}, serve } from '${VIRTUAL}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(({ app }) => serve(app, ${open}(toFetch)))
`
    },
  }
}
