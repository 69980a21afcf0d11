/** Finds where a function is defined, for functions that no call of the application leads to, such as those loaded by @fastify/autoload. */
import { findSourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../util/stack.ts'

const KEY = 'framework.function'

interface Location {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** Uses the inspector, which is only started after a failure. */
export function placeOfFunction(fn: Function): Place | undefined {
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  const files = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
  let found: Location | undefined
  try {
    Reflect.set(globalThis, KEY, fn)
    session.post('Debugger.enable')
    session.post('Runtime.evaluate', { expression: `globalThis['${KEY}']` }, (_, { result }) => {
      const { objectId = '' } = result
      session.post('Runtime.getProperties', { objectId }, (_, { internalProperties = [] }) => {
        const [location] = internalProperties.filter(({ name }) => name === '[[FunctionLocation]]')
        found = location?.value?.value as Location | undefined
      })
    })
  } finally {
    Reflect.deleteProperty(globalThis, KEY)
    session.disconnect()
  }
  const url = found && files.get(found.scriptId)
  if (found === undefined || !url?.startsWith('file:')) return undefined
  const { lineNumber, columnNumber } = found
  const origin = findSourceMap(url)?.findEntry(lineNumber, columnNumber)
  // Bundlers may name sources by URLs that aren't files, such as `webpack://`.
  if (origin && 'originalSource' in origin && origin.originalSource.startsWith('file:')) {
    const { originalSource, originalLine, originalColumn } = origin
    return {
      file: fileURLToPath(originalSource),
      line: originalLine + 1,
      column: originalColumn + 1,
    }
  }
  return { file: fileURLToPath(url), line: lineNumber + 1, column: columnNumber + 1 }
}
