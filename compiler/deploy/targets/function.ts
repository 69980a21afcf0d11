import { OWN } from '../own.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** What a platform calls instead of connecting to a socket. */
export interface CalledFunctions {
  /** The module that makes them. */
  readonly from: string
  /** What is imported of it. */
  readonly imports: readonly string[]
  /** By the names that the main module exports them under: expressions, of `app`. */
  readonly functions: Readonly<Record<string, string>>
  /** An entry that exports this serves the platform itself. */
  readonly own?: string
}

/** A platform that calls functions, in a process of Node. The application is booted before the first call. */
export function callsFunctions(
  called: CalledFunctions,
): Omit<Platform, 'out' | 'program' | 'settings' | 'start'> {
  const { from, imports, functions, own } = called
  const made = Object.entries(functions).map(([name, value]) => `${name}: ${value}`)
  const names = Object.keys(functions)
  return {
    conditions: ['node'],
    schemes: [],
    // Only an ES module can wait for the application.
    format: 'es',
    instead: {},
    isSystem: true,
    apart: 'files',
    hasConnections: () => false,
    lacks: [],
    environment: onNode(() => 'import.meta.dirname'),
    prelude: (entry) => `import { takeListening } from '${OWN}runtime'
import { ${imports.join(', ')} } from '${from}'
export const take = (app) => ({ app, functions: { ${made.join(', ')} } })
export const listening = takeListening(true, take)
${asMain(entry)}`,
    main({ file, start }) {
      const options = `{ entry, start: ${JSON.stringify(start)}, take, listening, create: framework }`
      const choice = own === undefined ? '' : `'${own}' in entry ? entry : `
      return `import framework from 'framework'
import { functionsOf } from '${OWN}runtime'
import { listening, take } from '${OWN}prelude'
import * as entry from ${JSON.stringify(file)}
const functions = ${choice}await functionsOf(${options})
${names.map((name, at) => `const function${at} = functions.${name}`).join('\n')}
export { ${names.map((name, at) => `function${at} as ${name}`).join(', ')} }
`
    },
  }
}
