/** Says why a process has ended that was meant to serve: its file makes no application, it exports what does. */
import { emitWarning } from './errors/warnings.ts'
import { nodeModule } from './platform/index.ts'

const MENTIONS = /\b(?:fastify|framework)\b/i
const EXPORTS = /^\s*export\b|\bmodule\.exports\b|\bexports\.\w+\s*=/m

/**
 * Warns when the process runs out of work without an application having been made, though the file that it was started with exports
 * one, as far as its text tells. Tests, builds and other tools make one, end otherwise, or are started with another file.
 */
export function warnWhenNothingStarts(): void {
  const { isMainThread } = process.getBuiltinModule('node:worker_threads')
  // A tool has started this, such as a runner of tests, which loads it again and again.
  if (!isMainThread || process.send !== undefined) return
  let isMade = false
  const { subscribe } = nodeModule('node:diagnostics_channel')
  // It may be made by the other build of this package: as CommonJS, or as ES modules.
  subscribe('fastify.initialization', () => (isMade = true))
  process.once('beforeExit', (code) => {
    const [, file] = process.argv
    if (isMade || code !== 0 || file === undefined) return
    const text = textOf(file)
    if (!MENTIONS.test(text) || !EXPORTS.test(text)) return
    const name = process.getBuiltinModule('node:path').basename(file)
    emitWarning('FST_AOT_NOT_STARTED', name, name)
  })
}

/** `''` where Node has found another file by that name. */
function textOf(file: string): string {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs')
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(file, 'utf8')
    : ''
}
