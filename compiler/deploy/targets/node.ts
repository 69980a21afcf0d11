import { VIRTUAL } from '../virtual.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** A process of Node.js. */
export const node: Platform = {
  conditions: ['node'],
  hasProcesses: true,
  calls: [],
  onDemand: 'files',
  hasConnections: () => true,
  environment: onNode((format) => (format === 'cjs' ? '__dirname' : 'import.meta.dirname')),
  prelude: asMain,
  main({ file, start }) {
    const from = JSON.stringify(file)
    if (start.kind === 'itself') return `import ${from}\n`
    return `import framework from 'framework'
import { applicationOf, serve } from '${VIRTUAL}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(({ app }) => serve(app))
`
  },
  startCommand: (out) => `node ${out}`,
}
