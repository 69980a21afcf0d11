import { builtinModules } from 'node:module'
import { VIRTUAL } from '../virtual.ts'
import { asMain, exportsOf, importsOf, RUN } from './entry.ts'
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
  prelude: (entry) => `import { interceptListen } from '${VIRTUAL}runtime'
export const listening = interceptListen(true, (app) => ({ app }))
${asMain(entry)}`,
  main: (entry) => `${importsOf(entry, 'webOf')}import { toFetch } from 'framework/fetch'
import { listening } from '${VIRTUAL}prelude'
${exportsOf(entry)}export default webOf({ entry, run: entry.${RUN}, start: ${JSON.stringify(entry.start)}, listening, create: framework, toFetch })
`,
  startCommand: (out) =>
    `import application from './${out}/index.js', and call application.fetch(request)`,
}
