/** Explains a plugin or hook that doesn't finish: which one it is, where it was added, and what to do. */
import { readFileSync } from 'node:fs'
import { codeFrame } from '../../report/frame.ts'
import { isPackageFile } from '../../util/paths.ts'
import { placeOfFunction } from './function-place.ts'
import type { Place } from '../../util/stack.ts'
import { registrationsOf, takeRunning, type Registration } from './registrations.ts'
import { placeText } from './uncaught.ts'

interface TimeoutError {
  readonly code?: string
  /** The function that timed out. */
  readonly fn?: unknown
}

/** Fastify wraps some timeout errors of avvio in its own, and passes others on unchanged. */
const PLUGIN_TIMEOUTS = new Set(['FST_ERR_PLUGIN_TIMEOUT', 'AVV_ERR_PLUGIN_EXEC_TIMEOUT'])

/** Explains a timeout error. Returns undefined for other errors, or if nothing is known. */
export function waitText(error: Error): string | undefined {
  const { code = '', cause } = error as Error & TimeoutError
  if (code === 'FST_ERR_HOOK_TIMEOUT') {
    const [, kind = ''] = /'(\w+)' hook/.exec(error.message) ?? []
    return textOf(code, [takeRunning(kind)])
  }
  if (!PLUGIN_TIMEOUTS.has(code)) return undefined
  const { fn } = 'fn' in error ? (error as TimeoutError) : ((cause ?? {}) as TimeoutError)
  const registered = registrationsOf(fn)
  // A callback of `after` times out with the same error.
  return textOf(code, registered.length > 0 ? registered : [takeRunning('after')])
}

const STILL_WAITING = 'FST_AOT_STILL_WAITING'

/**
 * Explains a hook without a timeout.
 *
 * @param after how long it has been pending in ms; 0 when the process exits
 */
export function lateText(step: Registration, after: number): string | undefined {
  return textOf(STILL_WAITING, [{ ...step, timeout: after }])
}

function textOf(code: string, all: readonly (Registration | undefined)[]): string | undefined {
  const found = all.flatMap((one) => {
    const place = one && placeOf(one)
    return one === undefined || place === undefined ? [] : [{ one, place }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const [, ...others] = [...new Set(found.map(({ place }) => placeText(place)))]
  const also =
    others.length > 0
      ? ` It is also registered at ${others.join(' and ')}: one of these calls hangs.`
      : ''
  const { one, place } = first
  const allow =
    code === STILL_WAITING ? '' : ' The factory option `pluginTimeout` allows it more time.'
  const frame = codeFrame(readFileSync(place.file, 'utf8'), place)
  return `${placeText(place)}  ${code}\n${sentence(one)}${allow}${also}\n\n${frame}`
}

/** Returns where it was added, or else where its function is defined. Prefers a place in the application: a package may have added it. */
function placeOf(one: Registration): Place | undefined {
  const added = one.place()
  if (added !== undefined && !isPackageFile(added.file)) return added
  const defined = one.function && placeOfFunction(one.function)
  return defined !== undefined && !isPackageFile(defined.file) ? defined : (added ?? defined)
}

function sentence({ kind, name, takesDone, timeout }: Registration): string {
  const called = name === '' ? '' : ` "${name}"`
  const step = kind === 'after' ? `callback${called} of \`after\`` : `\`${kind}\` hook${called}`
  const what = kind === 'plugin' ? `plugin${called}` : step
  const why = takesDone
    ? 'it takes `done`, and has not called it. Call `done` on each way through it, or make it an async function without `done`'
    : 'its promise has not been resolved. See what it waits for'
  const when = timeout === 0 ? 'when the process has' : `after ${timeout / 1000} s`
  return `The ${what} has not come to an end ${when}: ${why}.`
}
