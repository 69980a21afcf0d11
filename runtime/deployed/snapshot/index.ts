/**
 * Builds an application whose process becomes a snapshot, and starts it from there.
 *
 * While it is built, what belongs to one process or one moment is watched: what cannot be kept is reported as a fault, with its
 * stack; what can be compared when the snapshot is started is noted as a fact. Node takes the snapshot when nothing is left to do.
 */
import { listenAfter } from '../../adapter/open.ts'
import { whenMade } from '../../platform/announce.ts'
import { postponeLoggers } from '../../serve/logger.ts'
import type { Fault } from './building.ts'
import { building } from './building.ts'
import { faultLoaded, faultTimers, watchCalls, watchModule } from './calls.ts'
import type { Shape } from './deferred.ts'
import { deferModules, inherit } from './deferred.ts'
import {
  differentFacts,
  factNames,
  noteFolder,
  setVariables,
  watchHost,
  watchProcess,
} from './facts.ts'
import { watchFiles } from './files.ts'
import { damageOf } from './integrity.ts'
import { lateLogger, startLoggers } from './late-logger.ts'
import { hasSameNetwork, loadNetwork } from './network.ts'
import { watchStandardStreams } from './standard-streams.ts'

export interface SnapshotOptions {
  /** Of this build. */
  readonly id: string
  /** Where the deployment will lie. */
  readonly out: string
  /** Where the entry lies in it. */
  readonly place: string
  /** Files of it that are loaded when they are needed. */
  readonly late: readonly string[]
}

/** What is told to whoever takes the snapshot, in the file that is named on the command line. */
export interface SnapshotReport {
  readonly faults: readonly Fault[]
  readonly facts: readonly string[]
}

/**
 * What each start needs of Node, and a snapshot can hold: loaded now, it need not be loaded then. Not what Node loads to look an address
 * up: where node:dns is there, a server listens as Node does it, which loads node:cluster as well.
 */
const NEEDED = ['node:zlib']

const otherNetwork = 'it is for other values of --network-family-autoselection and its timeout'

/** How a process ends that Node cannot start from a snapshot. */
const REFUSED = 14

/** The global function that gives the folder of the deployment; `true` asks for the program itself, which works in any folder. */
const kFolder = Symbol.for('framework.snapshot.folder')

/** Node lets go of a channel that nobody keeps, and no snapshot holds what waits for that. */
const kKept = Symbol.for('framework.snapshot.kept')

type Globals = Record<typeof kFolder, (isOwn?: boolean) => string> & Record<typeof kKept, unknown>

/**
 * Begins to watch. To be called before anything of the application is loaded.
 *
 * @param shapes the modules of Node that are loaded after the start, as JSON
 * @returns what runs when the application may listen; it is there once `start` was called
 */
export function beginSnapshot(
  { id, out, place, late }: SnapshotOptions,
  shapes: string,
): Promise<void> {
  const { startupSnapshot } = process.getBuiltinModule('node:v8')
  const { dirname, join, resolve } = process.getBuiltinModule('node:path')
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  for (const name of NEEDED) process.getBuiltinModule(name)
  loadNetwork()
  const [, program = '', report = ''] = process.argv
  const globals = globalThis as unknown as Globals
  building.isOn = true
  globals[kKept] = process
    .getBuiltinModule('node:diagnostics_channel')
    .channel('fastify.initialization')
  globals[kFolder] = (isOwn = false) => {
    if (building.isOn && !isOwn) noteFolder(out)
    return building.isOn ? out : folder()
  }
  process.argv[1] = join(out, place)
  watchProcess()
  watchStandardStreams()
  watchCalls()
  watchFiles(out, dirname(program), new Set(late))
  deferModules(JSON.parse(shapes) as Readonly<Record<string, Shape>>, (name, module) => {
    watchModule(name, module)
    // What these modules give is watched when it is read there. Bundlers take a plain reading for nothing, and leave it out.
    if (name === 'crypto') Reflect.get(globalThis, 'crypto')
    if (name === 'fs/promises') Reflect.get(process.getBuiltinModule('node:fs'), 'promises')
    if (name === 'perf_hooks') Reflect.get(globalThis, 'performance')
    if (name === 'os') watchHost(module as { hostname(): string })
  })
  postponeLoggers(lateLogger)
  const preparations: (() => void)[] = []
  whenMade((_, prepare) => preparations.push(prepare))
  let begin: () => void = () => undefined
  const started = new Promise<void>((settle) => (begin = settle))
  listenAfter(started)
  building.tell = () => {
    const told: SnapshotReport = { faults: building.faults, facts: factNames() }
    writeFileSync(report, JSON.stringify(told))
  }
  startupSnapshot.addSerializeCallback(() => {
    for (const prepare of preparations.splice(0)) prepare()
    faultTimers()
    faultLoaded()
    building.isOn = false
    for (const undo of building.undo.splice(0).reverse()) undo()
    building.tell()
    building.faults.length = 0
  })
  startupSnapshot.setDeserializeMainFunction(main)
  return started

  function folder(): string {
    return resolve(process.argv[1] ?? '.')
  }

  function main(): void {
    const here = folder()
    const reason = damageOf(here, id) ?? (hasSameNetwork() ? undefined : otherNetwork)
    if (reason !== undefined) {
      process.stderr.write(`The snapshot in ${here} cannot be started: ${reason}\n`)
      process.exit(REFUSED)
    }
    process.execArgv = process.execArgv.filter(isNotSnapshot)
    const different = differentFacts(here)
    if (different.length > 0) return startBundle(here, different)
    globals[kFolder] = () => here
    process.argv[1] = `${here}/${place}`
    setVariables()
    inherit()
    startLoggers()
    begin()
  }
}

/** What is forked gets Node's options of this process, and is another program. */
function isNotSnapshot(option: string, nth: number, options: readonly string[]): boolean {
  return !option.startsWith('--snapshot-blob') && options[nth - 1] !== '--snapshot-blob'
}

/** The way back: the same program from its file, in this process. */
function startBundle(folder: string, different: readonly string[]): void {
  process.emitWarning(
    `The snapshot is for other values of ${different.join(', ')}. The application is started from its bundle.`,
    'FrameworkSnapshot',
  )
  const file = process.getBuiltinModule('node:path').join(folder, 'index.js')
  process.getBuiltinModule('node:module').createRequire(file)(file)
}
