import { OWN } from '../own.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** A process of a runtime with a server of its own. @param open the function of the runtime that listens with it */
export function systemWithServer(
  open: 'openBun' | 'openDeno',
): Omit<Platform, 'conditions' | 'schemes' | 'start'> {
  return {
    format: 'es',
    instead: {},
    isSystem: true,
    apart: 'files',
    // The platform's own server gives requests alone.
    hasConnections: ({ kind }) => kind === 'itself',
    lacks: [],
    environment: onNode(() => 'import.meta.dirname'),
    prelude: asMain,
    main({ file, start }) {
      const from = JSON.stringify(file)
      if (start.kind === 'itself') return `import ${from}\n`
      return `import framework from 'framework'
import { toFetch } from 'framework/fetch'
import { applicationOf, ${open}, serve } from '${OWN}runtime'
import * as entry from ${from}
applicationOf(entry, ${JSON.stringify(start)}, framework).then(({ app }) => serve(app, ${open}(toFetch)))
`
    },
    settings: () => ({}),
  }
}
