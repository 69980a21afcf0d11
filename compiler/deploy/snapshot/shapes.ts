import { spawnSync } from 'node:child_process'
import type { Shape } from '../../../runtime/deployed/snapshot/deferred.ts'
import type { NodeRelease } from '../process/node-release.ts'

/** What no snapshot of Node 24 holds once it is loaded. */
const deferred = ['cluster', 'http', 'http2', 'https', 'inspector', 'repl', 'sqlite', 'tls']

/** Runs in the Node that the snapshot is for. */
const program = `const shapes = {}
for (const name of ${JSON.stringify(deferred)}) {
  const module = process.getBuiltinModule('node:' + name)
  if (module) shapes[name] = Object.fromEntries(Object.keys(module).map((key) => [key, shapeOf(module, key)]))
}
process.stdout.write(JSON.stringify(shapes))
function shapeOf(module, key) {
  const { get, value } = Object.getOwnPropertyDescriptor(module, key)
  if (get === undefined && typeof value === 'function') return { kind: 'function' }
  return get === undefined && isData(value) ? { kind: 'data', value } : { kind: 'other' }
}
function isData(value) {
  if (value === null || ['boolean', 'string', 'number'].includes(typeof value)) return true
  if (typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return [null, Object.prototype, Array.prototype].includes(prototype) && Object.values(value).every(isData)
}
`

/** What the modules export that are loaded only when a snapshot is started. */
export function deferredShapes({ path }: NodeRelease): Readonly<Record<string, Shape>> {
  const { stdout } = spawnSync(path, ['--no-warnings', '-e', program], { encoding: 'utf8' })
  return JSON.parse(stdout) as Readonly<Record<string, Shape>>
}
