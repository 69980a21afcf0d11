import { VIRTUAL } from '../virtual.ts'
import { asMain } from './entry.ts'
import { onNode } from './environment.ts'
import type { Platform } from './platform.ts'

/** The functions that a platform calls instead of connecting to a socket. */
export interface CalledFunctions {
  /** The module that makes them, and what is imported from it. */
  readonly from: string
  readonly imports: readonly string[]
  /** Expressions with `app`, by the names that the main module exports. */
  readonly functions: Readonly<Record<string, string>>
  /** An entry that exports this name serves the platform itself. */
  readonly own?: string
}

/** A platform that calls functions in a process of Node.js. The application boots before the first call. */
export function callsFunctions(
  called: CalledFunctions,
): Omit<Platform, 'out' | 'programFolder' | 'configFiles' | 'startCommand'> {
  const { from, imports, functions, own } = called
  const members = Object.entries(functions).map(([name, value]) => `${name}: ${value}`)
  const names = Object.keys(functions)
  return {
    conditions: ['node'],
    // Only ES modules can wait for the application.
    format: 'es',
    hasProcesses: true,
    calls: own === undefined ? [] : [own],
    onDemand: 'files',
    hasConnections: () => false,
    environment: onNode(() => 'import.meta.dirname'),
    prelude: (entry) => `import { interceptListen } from '${VIRTUAL}runtime'
import { ${imports.join(', ')} } from '${from}'
export const functionsFor = (app) => ({ app, functions: { ${members.join(', ')} } })
export const listening = interceptListen(true, functionsFor)
${asMain(entry)}`,
    main({ file, start }) {
      const options = `{ entry, start: ${JSON.stringify(start)}, functionsFor, listening, create: framework }`
      const choice = own === undefined ? '' : `'${own}' in entry ? entry : `
      return `import framework from 'framework'
import { functionsOf } from '${VIRTUAL}runtime'
import { functionsFor, listening } from '${VIRTUAL}prelude'
import * as entry from ${JSON.stringify(file)}
const functions = ${choice}await functionsOf(${options})
${names.map((name, at) => `const function${at} = functions.${name}`).join('\n')}
export { ${names.map((name, at) => `function${at} as ${name}`).join(', ')} }
`
    },
  }
}
