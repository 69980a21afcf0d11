import { builtinModules } from 'node:module'
import { VIRTUAL } from '../virtual.ts'
import { asMain, hostedMain } from './entry.ts'
import { replaced, withoutNode } from './environment.ts'
import type { Platform } from './platform.ts'

const response = `const { parse } = require('set-cookie-parser')
module.exports = require('${VIRTUAL}injected-response')(parse)
`

/** Replaces the response of light-my-request, which extends `http.ServerResponse`, on platforms where that class can't be constructed. */
export const injectWithoutServerResponse: Readonly<Record<string, string>> = {
  '/light-my-request/lib/response.js': response,
  '/light-my-request-6/lib/response.js': response,
}

/** Pages, service workers, and edge platforms without Node's modules. */
export const web: Platform = {
  conditions: ['browser'],
  format: 'es',
  replacedModules: injectWithoutServerResponse,
  hasProcesses: false,
  calls: ['fetch'],
  hasConnections: () => false,
  unsupportedModules: builtinModules.filter((name) => !replaced.has(name)),
  // Service workers refuse `import()`.
  isOneFile: true,
  // Service workers refuse a top-level `await`.
  runsEntry: true,
  environment: withoutNode,
  prelude: (entry) => `import { interceptListen } from '${VIRTUAL}deployed'
export const listening = interceptListen(true, (app) => ({ app }))
${asMain(entry)}`,
  main: (entry) => `${hostedMain(entry, 'webOf')}export default webOf(options)\n`,
  startCommand: (out) =>
    `import application from './${out}/index.js', and call application.fetch(request)`,
}
