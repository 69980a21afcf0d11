import { builtinModules } from 'node:module'
import { OWN } from '../own.ts'
import { asMain, exportsOf } from './entry.ts'
import { injectByFetch } from './inject.ts'
import type { Platform } from './platform.ts'
import { withoutNode } from './without-node.ts'

/** Pages, service workers, and edges that have none of Node's modules. */
export const web: Platform = {
  conditions: ['browser'],
  schemes: [],
  format: 'es',
  instead: injectByFetch,
  isSystem: false,
  apart: undefined,
  hasConnections: () => false,
  get lacks() {
    return builtinModules.filter((name) => !withoutNode.modules.has(name))
  },
  // Service workers refuse `import()`.
  isOneFile: true,
  environment: withoutNode,
  prelude: (entry) => `import { takeListening } from '${OWN}runtime'
export const listening = takeListening(true, (app) => ({ app }))
${asMain(entry)}`,
  main: (entry) => `import framework from 'framework'
import { toFetch } from 'framework/fetch'
import { webOf } from '${OWN}runtime'
import { listening } from '${OWN}prelude'
import * as entry from ${JSON.stringify(entry.file)}
${exportsOf(entry)}export default webOf({ entry, start: ${JSON.stringify(entry.start)}, listening, create: framework, toFetch })
`,
  settings: () => ({}),
  start: (out) =>
    `import application from './${out}/index.js', and call application.fetch(request)`,
}
