/** Processes with a server of their own. */
import { VIRTUAL } from '../virtual.ts'
import { asMain, entryImport, importsOf } from './entry.ts'
import { onNode } from './environment.ts'
import type { EntryModule, Platform } from './platform.ts'

export const node: Platform = {
  conditions: ['node'],
  hasProcesses: true,
  calls: [],
  onDemand: 'files',
  hasConnections: () => true,
  environment: onNode(),
  prelude: asMain,
  main: (entry) =>
    entry.start.kind === 'itself'
      ? `import ${JSON.stringify(entry.file)}\n`
      : servingMain(entry, 'applicationOf, serve', 'serve(app)'),
  startCommand: (out) => `node ${out}`,
}

/** Serves with `Bun.serve`. An entry that calls `listen` itself uses Bun's `node:http`. */
export const bun: Platform = {
  ...withServer('openBun'),
  conditions: ['bun', 'node'],
  schemes: ['bun:'],
  startCommand: (out) => `bun ${out}/index.js`,
}

/** Serves with `Deno.serve`. An entry that calls `listen` itself uses Deno's `node:http`. */
export const deno: Platform = {
  ...withServer('openDeno'),
  conditions: ['deno', 'node'],
  schemes: ['npm:', 'jsr:', 'https:', 'http:', 'data:'],
  startCommand: (out) =>
    `deno run --allow-net --allow-env --allow-read --allow-sys ${out}/index.js`,
}

/** @param open the function of our runtime that starts the platform's own server */
function withServer(open: 'openBun' | 'openDeno'): Platform {
  return {
    ...node,
    format: 'es',
    calls: ['fetch'],
    // The platform's server passes requests without their connections.
    hasConnections: ({ kind }) => kind === 'itself',
    hasWebSockets: true,
    main(entry) {
      const { file, start } = entry
      if (start.kind !== 'itself') {
        const main = servingMain(
          entry,
          `applicationOf, ${open}, serve`,
          `serve(app, ${open}(toFetch))`,
        )
        return `import { toFetch } from 'framework/fetch'\n${main}`
      }
      if (!start.exportsFetch) return node.main(entry)
      return `import { ${open}, serve, servedBy } from '${VIRTUAL}deployed'
${entryImport(file)}serve(...servedBy(entry.default, ${open}))
`
    },
  }
}

function servingMain(entry: EntryModule, functions: string, serve: string): string {
  return `${importsOf(entry, functions)}applicationOf(entry, ${JSON.stringify(entry.start)}, framework).then(({ app }) => ${serve})
`
}
