/** The thread that runs slices: definitions come in, plain data goes out. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import childProcess from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Definition, Outcome, Program, Term } from './protocol.ts'
import { annotationMark } from './protocol.ts'
import { describe, toPlainData } from './result.ts'
import * as volatile from './volatile.ts'

const { port, signal, root } = workerData as {
  port: MessagePort
  signal: Int32Array
  root: string
}

const definitions = new Map<string, Definition>()
const results = new Map<string, { value: unknown } | { error: unknown }>()
const modules = new Map<string, Record<string, unknown>>()

/** Thrown out of a slice when it touches a package that has to be imported first. */
class NeedsImport {
  readonly definition: Extract<Definition, { type: 'import' }>
  constructor(definition: Extract<Definition, { type: 'import' }>) {
    this.definition = definition
  }
}

/** Thrown out of a slice when it awaits a promise. */
class NeedsPromise {
  readonly promise: PromiseLike<unknown>
  constructor(promise: PromiseLike<unknown>) {
    this.promise = promise
  }
}

/** What the last slice stopped at, in case it caught the exception itself. */
let pending: NeedsImport | NeedsPromise | undefined

const settled = new WeakMap<PromiseLike<unknown>, { value: unknown } | { error: unknown }>()

closeDoors()
// What a slice leaves running is nobody's business.
process.on('unhandledRejection', () => undefined)
port.on('message', (program: Program) => {
  void answer(program)
})

async function answer(program: Program): Promise<void> {
  let outcomes: Outcome[]
  try {
    for (const [id, definition] of program.definitions) {
      definitions.set(id, definition)
      results.delete(id)
    }
    for (const [position, id] of program.steps.entries()) {
      Atomics.store(signal, 1, position)
      await settle(() => result(id)).catch(() => undefined)
    }
    outcomes = []
    for (const root of program.roots) outcomes.push(await outcomeOf(root, program.wants))
  } catch (error) {
    const why = describe(error)
    outcomes = program.roots.map(() => ({ type: 'failed', why }))
  }
  port.postMessage(outcomes)
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
}

async function outcomeOf(root: Term, wants: Program['wants']): Promise<Outcome> {
  try {
    const value = await settle(() => evaluate(root))
    return wants === 'shape' ? { type: 'shape', shape: shapeOf(value) } : toPlainData(value)
  } catch (error) {
    const undecided = error instanceof Unavailable && error.undecided
    return { type: 'failed', why: describe(error), undecided }
  }
}

/** Runs a slice again and again until all the packages that it touches are loaded. */
async function settle<T>(run: () => T): Promise<T> {
  for (;;) {
    pending = undefined
    volatile.reset()
    let outcome: { value: T } | { error: unknown }
    try {
      outcome = { value: run() }
    } catch (error) {
      outcome = { error }
    }
    const stopped = pending as NeedsImport | NeedsPromise | undefined
    if (stopped instanceof NeedsImport) await load(stopped.definition)
    else if (stopped !== undefined) await wait(stopped.promise)
    else if ('error' in outcome) throw outcome.error
    else return outcome.value
  }
}

async function wait(promise: PromiseLike<unknown>): Promise<void> {
  try {
    settled.set(promise, { value: await promise })
  } catch (error) {
    settled.set(promise, { error })
  }
}

function fulfilled(value: unknown): unknown {
  const isPromise = typeof value === 'object' && value !== null && 'then' in value
  if (!isPromise || typeof value.then !== 'function') return value
  const promise = value as PromiseLike<unknown>
  const outcome = settled.get(promise)
  if (outcome === undefined) {
    pending = new NeedsPromise(promise)
    throw pending
  }
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

function result(id: string): unknown {
  const known = results.get(id)
  if (known !== undefined) {
    if ('error' in known) throw known.error
    return known.value
  }
  const definition = definitions.get(id)
  if (definition === undefined) throw new Error('a part of this expression is missing')
  try {
    const value = define(definition, id)
    const why = volatile.noted()
    if (pending === undefined && why !== undefined) throw new Unavailable(why)
    results.set(id, { value })
    return value
  } catch (thrown) {
    if (pending !== undefined) {
      // What an object or a list has so far is not all of it.
      results.delete(id)
      throw thrown
    }
    // Without its environment a package may fail; then that is the reason.
    const why = volatile.noted()
    const error = why === undefined || thrown instanceof Unavailable ? thrown : new Unavailable(why)
    results.set(id, { error })
    throw error
  }
}

function define(definition: Definition, id: string): unknown {
  switch (definition.type) {
    case 'import':
      return imported(definition)
    case 'code':
      return compile(definition.code)(...definition.operands.map(evaluate))
    case 'await':
      return fulfilled(evaluate(definition.operand))
    case 'array': {
      // Stored before it is filled: an object may contain itself.
      const items: unknown[] = []
      results.set(id, { value: items })
      items.push(...definition.items.map(evaluate))
      return items
    }
    case 'object': {
      const object: Record<string | symbol, unknown> = {}
      results.set(id, { value: object })
      if (definition.base !== undefined) Object.assign(object, evaluate(definition.base))
      for (const [key, term] of definition.members) {
        const name = evaluate(key) as string | symbol
        const value = evaluate(term)
        Object.defineProperty(object, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return object
    }
    case 'source':
      return runSource(definition)
  }
}

function evaluate(term: Term): unknown {
  switch (term.t) {
    case 'value':
      return term.value
    case 'symbol':
      return Symbol.for(term.key)
    case 'ref':
      return result(term.id)
    case 'annotation':
      return annotationMark + term.why
    case 'never':
      throw new Unavailable(term.why, term.undecided)
  }
}

class Unavailable extends Error {
  readonly undecided: boolean
  constructor(why: string, undecided = false) {
    super(why)
    this.undecided = undecided
  }
}

type Code = (...operands: unknown[]) => unknown

function compile(code: string): Code {
  // oxlint-disable-next-line no-new-func -- running the user's code is what this thread is for
  return new Function(`return (${code})`)() as Code
}

/** Free variables of the text resolve to captured values, and are computed when they are read. */
function runSource(definition: Extract<Definition, { type: 'source' }>): unknown {
  const scope = Object.create(null) as Record<string, unknown>
  for (const [name, term] of Object.entries(definition.captures)) {
    let value: { current: unknown } | undefined
    Object.defineProperty(scope, name, {
      enumerable: true,
      get: () => (value ??= { current: evaluate(term) }).current,
      set: (next) => {
        value = { current: next }
      },
    })
  }
  // oxlint-disable-next-line no-new-func -- as above
  const run = new Function('$scope', `with ($scope) { return (${definition.text}\n) }`)
  const value = (run as (scope: object) => object)(scope)
  for (const [key, term] of definition.members) {
    const name = evaluate(key) as string
    const define = (how: PropertyDescriptor): object =>
      Object.defineProperty(value, name, { enumerable: true, configurable: true, ...how })
    define({
      get: () => evaluate(term),
      set: (next: unknown) => define({ value: next, writable: true }),
    })
  }
  return value
}

function keyOf({ specifier, importer, required }: Extract<Definition, { type: 'import' }>): string {
  return [specifier, importer, required].join('\n')
}

function imported(definition: Extract<Definition, { type: 'import' }>): unknown {
  const namespace = modules.get(keyOf(definition))
  if (namespace === undefined) {
    pending = new NeedsImport(definition)
    throw pending
  }
  if ('$error' in namespace) throw namespace['$error']
  const { name } = definition
  if (name === '*') return namespace
  if (definition.required) {
    return name === 'default' && !isTranspiled(namespace) ? namespace : namespace[name]
  }
  const fallback = namespace['default'] as Record<string, unknown> | undefined
  return name in namespace ? namespace[name] : fallback?.[name]
}

function isTranspiled(namespace: Record<string, unknown>): boolean {
  return namespace['__esModule'] === true
}

async function load(definition: Extract<Definition, { type: 'import' }>): Promise<void> {
  const { specifier, importer, required, file } = definition
  let namespace: Record<string, unknown>
  try {
    if (required) {
      namespace = createRequire(importer)(specifier) as Record<string, unknown>
    } else {
      const target =
        specifier.startsWith('node:') || file === undefined ? specifier : pathToFileURL(file).href
      namespace = (await import(target)) as Record<string, unknown>
    }
  } catch (error) {
    const reason = new Error(`the package "${specifier}" cannot be loaded: ${describe(error)}`)
    namespace = { $error: reason }
  }
  modules.set(keyOf(definition), namespace)
}

function shapeOf(value: unknown): Extract<Outcome, { type: 'shape' }>['shape'] {
  if (Array.isArray(value)) return { type: 'array', length: value.length }
  if (typeof value === 'function') return { type: 'function', keys: Object.keys(value) }
  if (typeof value === 'object' && value !== null) {
    return { type: 'object', keys: Object.keys(value), iterable: Symbol.iterator in value }
  }
  return typeof value === 'symbol' ? { type: 'symbol' } : { type: 'primitive', value }
}

/** A slice computes data: it may not reach out of the process, or end it. */
function closeDoors(): void {
  const refuse = (): never => {
    throw new Error('a schema may not use the network or other processes')
  }
  net.Socket.prototype.connect = refuse
  for (const name of [
    'exec',
    'execFile',
    'execFileSync',
    'execSync',
    'fork',
    'spawn',
    'spawnSync',
  ] as const) {
    childProcess[name] = refuse as never
  }
  process.exit = refuse
  volatile.watch(root)
  syncBuiltinESMExports()
}
