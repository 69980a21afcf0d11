/**
 * Program of the recording process: `node main.js <entry> <milliseconds> <listens>`. Boots the application and reports
 * its declarations to the parent process.
 */
import { createRequire, register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { optionsOf as factoryOptionsOf } from '../../../runtime/deployed/application.ts'
import { limitStack } from '../../../runtime/errors/stack-limit.ts'
import { packageJsonIn, takesOptions } from '../../util/package-json.ts'
import { packageRootOf } from '../../util/paths.ts'
import { moduleKindOf } from '../../util/module-kind.ts'
import { plural } from '../../util/quantities.ts'
import type { RecordedInstance, Recording, RecordingFailure } from '../recording.ts'
import { findApplication } from './application.ts'
import { keepServersFromListening, openHandles } from './handles.ts'
import { FRAMES, isApplication, placeOfError } from './places.ts'
import { optionsOf, Recorder, type Root } from './recorder.ts'
import { extendRequire, factoryFor } from './require.ts'
import type { Factory, Server, ServerOptions } from './server.ts'

const [, , entry = '', limit = '', listens] = process.argv
const exit = process.exit.bind(process)
const require = createRequire(import.meta.url)
/** Description for messages about a boot that doesn't finish. */
let activity = 'loading its modules'
let isSent = false

const recorder = new Recorder()
const record = (specifier: string, importer: string): Factory =>
  recorder.wrap(factoryFor(specifier, importer))
const { port1: files, port2 } = new MessageChannel()
files.unref()
Object.assign(globalThis, { [Symbol.for('framework.record')]: record })
process.setSourceMapsEnabled(true)
// Set it first: the application may freeze `Error`.
limitStack(FRAMES)
register(new URL('./hooks.js', import.meta.url), { data: { files: port2 }, transferList: [port2] })
extendRequire(record)
// Old versions of `@fastify/autoload` look for this property of ts-node before they load TypeScript.
Object.defineProperty(process, Symbol.for('ts-node.register.instance'), { value: undefined })
keepServersFromListening()
process.exit = (code): never => {
  const reason = `it ends the process with the code ${String(code ?? process.exitCode ?? 0)}`
  send({ kind: 'error', reason, at: placeOfError(new Error(reason)) })
  throw new Error(reason)
}
process.on('uncaughtException', failBy)
process.on('unhandledRejection', failBy)
setTimeout(() => {
  const handles = Object.entries(openHandles()).map(([name, count]) => plural(count, name))
  const waits = handles.length === 0 ? '' : `; open are ${handles.join(', ')}`
  send({ kind: 'time', reason: `${activity}${waits}`, at: recorder.calls.at(-1) })
}, Number(limit)).unref()

void boot().catch(failBy)

async function boot(): Promise<void> {
  const loading =
    moduleKindOf(entry) === 'commonjs'
      ? Promise.resolve(require(entry))
      : import(pathToFileURL(entry).href)
  const exported = await Promise.race([loading, recorder.firstListening])
  activity = 'making the application'
  const hasOptions = takesOptions(packageJsonIn(packageRootOf(entry) ?? ''))
  const options = hasOptions ? factoryOptionsOf(exported ?? {}) : undefined
  const createServer = (): Server => record('fastify', entry)(options as ServerOptions)
  const root = await findApplication(
    recorder,
    { entry, exported },
    createServer,
    listens === 'true',
  )
  if (root === undefined) {
    send({ kind: 'none', reason: '', at: undefined })
    return
  }
  activity = 'loading its plugins'
  const main = await recordInstance(root)
  const others: RecordedInstance[] = []
  for (const one of recorder.roots)
    if (one !== root && recorder.hasSchemas(one)) others.push(await recordInstance(one))
  send({ ...main, others, calls: recorder.calls, files: loadedFiles(), handles: openHandles() })
}

async function recordInstance({ server, options }: Root): Promise<RecordedInstance> {
  await server.ready()
  return { options: optionsOf(options), root: recorder.contextOf(server) }
}

/** Lists the application's files, of both module systems. */
function loadedFiles(): string[] {
  const found = new Set(Object.keys(require.cache).filter(isApplication))
  for (let next = receiveMessageOnPort(files); next; next = receiveMessageOnPort(files))
    found.add(String(next.message))
  return [...found]
}

function failBy(error: unknown): void {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  send({ kind: 'error', reason, at: placeOfError(error) })
}

/** Sends the first message and exits. */
function send(message: Recording | RecordingFailure): void {
  if (isSent) return
  isSent = true
  process.send?.(message, undefined, undefined, () => exit(0))
}
