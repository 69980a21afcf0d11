/** Program of the booting process. Boots the application and sends its declarations to the supervisor. */
import { createRequire } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import {
  applicationOf,
  optionsOf as factoryOptionsOf,
} from '../../../runtime/deployed/application.ts'
import { limitStack } from '../../../runtime/errors/stack-limit.ts'
import { readMessage, writeMessage } from '../../sandbox/child/pipe.ts'
import { packageJsonIn, takesOptions } from '../../util/package-json.ts'
import { packageRootOf } from '../../util/paths.ts'
import { moduleKindOf } from '../../util/module-kind.ts'
import { plural } from '../../util/quantities.ts'
import { mainPipe, type BootSettings, type FromChild, type KnownStart } from '../messages.ts'
import type { RecordedInstance, Surroundings } from '../recording.ts'
import { findApplication } from './application.ts'
import { callsAtStart, noteCallsAtStart } from './calls-at-start.ts'
import { confine } from './confine.ts'
import { keepServersFromListening, openHandles } from './handles.ts'
import { watchIdleness } from './idleness.ts'
import { installHooks } from './install-hooks.ts'
import { FRAMES, placeOfError } from './places.ts'
import { optionsOf, Recorder, type Root } from './recorder.ts'
import { factoryFor } from './require.ts'
import type { Factory, Server, ServerOptions } from './server.ts'
import { missing, noteReads, read, vary } from './surroundings.ts'

const { entry, limit, isSandboxed, isVaried } = JSON.parse(
  process.argv[2] as string,
) as BootSettings
/** Ends the process, also in the sandbox, which denies `process.exit`. */
const end = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)
const require = createRequire(import.meta.url)
/** Description for messages about a boot that doesn't finish. */
let activity = 'loading its modules'
let isSent = false

const recorder = new Recorder(isSandboxed)
const record = (specifier: string, importer: string): Factory =>
  recorder.wrap(factoryFor(specifier, importer))
Object.assign(globalThis, { [Symbol.for('framework.record')]: record })
process.setSourceMapsEnabled(true)
// Set it first: the application may freeze `Error`.
limitStack(FRAMES)
const loadedFiles = installHooks(record)
noteCallsAtStart()
if (isSandboxed) {
  noteReads()
  if (isVaried) vary()
  confine()
}
// Old versions of `@fastify/autoload` look for this property of ts-node before they load TypeScript.
Object.defineProperty(process, Symbol.for('ts-node.register.instance'), { value: undefined })
keepServersFromListening()
process.exit = (code): never => {
  const reason = `it ends the process with the code ${String(code ?? process.exitCode ?? 0)}`
  const error = new Error(reason)
  if (!recorder.isListening) fail(reason, error)
  throw error
}
process.on('uncaughtException', failBy)
process.on('unhandledRejection', failBy)
// Deployments, too, have the entry's path there.
process.argv = [process.execPath, entry]
setTimeout(() => {
  const handles = Object.entries(openHandles()).map(([name, count]) => plural(count, name))
  const waits = handles.length === 0 ? '' : `; open are ${handles.join(', ')}`
  const reason = `${activity}${waits}`
  send({ failure: { kind: 'time', reason, at: recorder.calls.at(-1) } })
}, limit).unref()
if (isSandboxed)
  watchIdleness((reason) =>
    send({ failure: { kind: 'idle', reason, at: undefined, ...surroundings() } }),
  )

void boot().catch(failBy)

async function boot(): Promise<void> {
  const exported = await loadEntry()
  activity = 'making the application'
  const root = await findRoot(exported)
  if (root === undefined) {
    send({ failure: { kind: 'none', reason: '', at: undefined } })
    return
  }
  activity = 'loading its plugins'
  const main = await recordInstance(root)
  const others: RecordedInstance[] = []
  for (const one of recorder.roots)
    if (one !== root && recorder.hasSchemas(one)) others.push(await recordInstance(one))
  send({
    recording: {
      ...main,
      others,
      decorators: recorder.decorators,
      calls: recorder.calls,
      ...loadedFiles(),
      ...surroundings(),
      callsAtStart,
      handles: openHandles(),
    },
  })
}

async function loadEntry(): Promise<object> {
  if (moduleKindOf(entry) === 'module') {
    const loading = import(pathToFileURL(entry).href) as Promise<object>
    return Promise.race([loading, recorder.whenListening().then(() => ({}))])
  }
  const exported = require(entry) as object
  // As an import sees it.
  return '__esModule' in Object(exported) ? exported : { ...exported, default: exported }
}

async function findRoot(exported: object): Promise<Root | undefined> {
  writeMessage(mainPipe, { ask: 'start' } satisfies FromChild)
  const { start, listens } = readMessage(mainPipe) as KnownStart
  const create = (options?: unknown): Server => record('fastify', entry)(options as ServerOptions)
  if (start === undefined || start.kind === 'itself') {
    const hasOptions = takesOptions(packageJsonIn(packageRootOf(entry) ?? ''))
    const options = hasOptions ? factoryOptionsOf(exported) : undefined
    return findApplication(recorder, { entry, exported, start }, () => create(options), listens)
  }
  const { app } = await applicationOf(exported, start, create)
  const made = recorder.rootOf(app)
  // A factory may configure an instance of another module.
  return made && (start.kind === 'factory' ? recorder.largest() : made)
}

async function recordInstance({ server, options }: Root): Promise<RecordedInstance> {
  await server.ready()
  return {
    options: optionsOf(options),
    root: recorder.contextOf(server),
    document: recorder.documentOf(server),
  }
}

function failBy(error: unknown): void {
  // A server that has started to listen is complete.
  if (recorder.isListening) return
  fail(error instanceof Error ? `${error.name}: ${error.message}` : String(error), error)
}

function fail(reason: string, error: unknown): void {
  const at = placeOfError(error)
  send({ failure: { kind: 'error', reason, at, ...surroundings() } })
}

function surroundings(): Surroundings | undefined {
  return isSandboxed
    ? { reads: [...new Set([...loadedFiles().files, ...read])], missing: [...missing] }
    : undefined
}

/** Sends the first message and ends. */
function send(message: FromChild): void {
  if (isSent) return
  isSent = true
  writeMessage(mainPipe, message)
  end(0)
}
