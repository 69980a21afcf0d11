import { builtinModules } from 'node:module'
import { VIRTUAL } from '../virtual.ts'
import { asMain, exportsOf, RUN } from './entry.ts'
import { injectWithoutServerResponse } from './inject.ts'
import type { Platform } from './platform.ts'
import { withoutNode } from './without-node.ts'

/** Pages, service workers, and edge platforms without Node's modules. */
export const web: Platform = {
  conditions: ['browser'],
  format: 'es',
  replacedModules: injectWithoutServerResponse,
  hasProcesses: false,
  calls: ['fetch'],
  hasConnections: () => false,
  get unsupportedModules() {
    return builtinModules.filter((name) => !withoutNode.modules.has(name))
  },
  // Service workers refuse `import()`.
  isOneFile: true,
  // Service workers refuse a top-level `await`.
  runsEntry: true,
  environment: withoutNode,
  prelude: (entry) => `import { interceptListen } from '${VIRTUAL}runtime'
export const listening = interceptListen(true, (app) => ({ app }))
${asMain(entry)}`,
  main: (entry) => `import framework from 'framework'
import { toFetch } from 'framework/fetch'
import { webOf } from '${VIRTUAL}runtime'
import { listening } from '${VIRTUAL}prelude'
import * as entry from ${JSON.stringify(entry.file)}
${exportsOf(entry)}export default webOf({ entry, run: entry.${RUN}, start: ${JSON.stringify(entry.start)}, listening, create: framework, toFetch })
`,
  startCommand: (out) =>
    `import application from './${out}/index.js', and call application.fetch(request)`,
}
