/** Warns when a process ends without serving, because the file that it runs only exports an application. */
import { emitWarning } from './errors/warnings.ts'
import { nodeModule } from './platform/index.ts'

const MENTIONS = /\b(?:fastify|framework)\b/i
const EXPORTS = /^\s*export\b|\bmodule\.exports\b|\bexports\.\w+\s*=/m

/**
 * Warns if no application was created when the process has nothing left to do, and the text of the main file seems to export one. Tests,
 * builds and other tools create an application, end in another way, or run another main file.
 */
export function warnIfNotStarted(): void {
  const { isMainThread } = process.getBuiltinModule('node:worker_threads')
  // Threads and child processes belong to tools, such as test runners.
  if (!isMainThread || process.send !== undefined) return
  let isCreated = false
  const { subscribe } = nodeModule('node:diagnostics_channel')
  // The channel also reports applications of the other build of this package: CommonJS or ES modules.
  subscribe('fastify.initialization', () => (isCreated = true))
  process.once('beforeExit', (code) => {
    const [, file] = process.argv
    if (isCreated || code !== 0 || file === undefined) return
    const text = textOf(file)
    if (!MENTIONS.test(text) || !EXPORTS.test(text)) return
    const name = process.getBuiltinModule('node:path').basename(file)
    emitWarning('FST_AOT_NOT_STARTED', name, name)
  })
}

/** Returns `''` if the path isn't that of a file: Node also runs folders, and paths without extension. */
function textOf(file: string): string {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(file, 'utf8')
    : ''
}
