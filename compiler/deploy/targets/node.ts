import { OWN } from '../own.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** A process of its own. */
export const node: Platform = {
  conditions: ['node'],
  schemes: [],
  format: undefined,
  instead: {},
  isSystem: true,
  apart: 'files',
  hasConnections: () => true,
  lacks: [],
  environment: onNode((format) => (format === 'cjs' ? '__dirname' : 'import.meta.dirname')),
  prelude: asMain,
  main({ file, start }) {
    const from = JSON.stringify(file)
    if (start.kind === 'itself') return `import ${from}\n`
    return `import framework from 'framework'
import { applicationOf, serve } from '${OWN}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(({ app }) => serve(app))
`
  },
  settings: () => ({}),
  start: (out) => `node ${out}`,
}
