import type { ApplicationStart } from '../../model/index.ts'
import { isServing, whenServing } from './handles.ts'
import type { Recorder, Root } from './recorder.ts'
import type { Server } from './server.ts'

/** An application that doesn't listen is complete when it has declared nothing for so long, in ms. */
const SILENCE = 1000

interface Entry {
  readonly entry: string
  readonly exported: unknown
  /** Set if the scan knows that the entry starts itself. */
  readonly start: ApplicationStart | undefined
}

type Callable = (...args: unknown[]) => unknown

/**
 * Finds the application behind an entry module by the rules of the scan: an instance that the module creates
 * while loading, else the result of an exported factory function, else an exported plugin on a new instance.
 *
 * Instances are thenables, so they are never returned directly from an async function: that would boot them.
 *
 * @param listens whether the source may call `listen`, which shows that the application is complete
 */
export async function findApplication(
  recorder: Recorder,
  { entry, exported, start }: Entry,
  createServer: () => Server,
  listens: boolean,
): Promise<Root | undefined> {
  if (start !== undefined) {
    await completion(recorder, listens)
    // `require.main` and `import.meta.main` aren't those of the entry here: it may wait to be the main module.
    if (recorder.roots.length > 0) return recorder.largest()
  }
  const values = exportedValues(exported)
  const instance = values.find((value) => recorder.rootOf(value) !== undefined)
  if (instance !== undefined) return recorder.rootOf(instance)
  const functions = values.filter((value): value is Callable => typeof value === 'function')
  if (recorder.roots.some(({ file }) => file === entry) || functions.length === 0) {
    await completion(recorder, listens)
    return recorder.largest()
  }
  if (start === undefined) {
    // An entry may start itself where it is the main module, although it exports its factory.
    await Promise.race([completion(recorder, listens), recorder.untilSilent(SILENCE)])
    if (recorder.isListening) return recorder.largest()
  }
  // An instance that another module creates may be a different application, for metrics for example.
  const loaded = [...recorder.roots]
  for (const candidate of functions) {
    if (isPlugin(candidate)) continue
    const found = await createWith(recorder, candidate)
    if (found !== undefined) return recorder.largest([found, ...loaded])
  }
  if (loaded.length > 0) return recorder.largest()
  const plugin = functions.find(isPlugin)
  if (plugin === undefined) return undefined
  const server = createServer()
  server.register(plugin)
  return recorder.rootOf(server)
}

/**
 * Resolves when the application listens or has nothing left to do. If only another server listens, or none will, it resolves once
 * the application has stopped declaring things.
 */
function completion(recorder: Recorder, listens: boolean): Promise<unknown> {
  const end = new Promise<void>((resolve) => void process.once('beforeExit', () => resolve()))
  const untilSilent = async (): Promise<void> => {
    do {
      if (listens) await whenServing()
      await recorder.untilSilent(SILENCE)
      // A server that looked for a free port is closed by now.
    } while (listens && !isServing())
  }
  return Promise.race([recorder.whenListening(), end, untilSilent()])
}

/** Calls a factory, or constructs a class, with empty objects as arguments. */
async function createWith(recorder: Recorder, candidate: Callable): Promise<Root | undefined> {
  const before = new Set(recorder.roots)
  const args = Array.from({ length: candidate.length }, () => ({}))
  const isClass = /^class\b/.test(Function.prototype.toString.call(candidate))
  const made = isClass ? Reflect.construct(candidate, args) : candidate(...args)
  const root = recorder.rootOf(made)
  if (root !== undefined) return root
  const result = await Promise.race([made, recorder.firstListening])
  const returned = recorder.rootOf(result) ?? instanceIn(recorder, result)
  return returned ?? recorder.largest(recorder.roots.filter((one) => !before.has(one)))
}

function instanceIn(recorder: Recorder, value: unknown): Root | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value)
    .map((member) => recorder.rootOf(member))
    .find(Boolean)
}

/** Returns the default export first, then exports whose names suggest that they create an application, then others. */
function exportedValues(exported: unknown): unknown[] {
  if (typeof exported === 'function') return [exported]
  if (typeof exported !== 'object' || exported === null) return []
  const named = exported as Record<string, unknown>
  const main = named['default']
  // The default export of an ES module that was compiled to CommonJS.
  const inner = (main as Record<string, unknown> | null | undefined)?.['default']
  const others = Object.entries(named)
    // Newer versions of Node export `module.exports` of CommonJS by this name.
    .filter(([name]) => name !== 'default' && name !== 'module.exports')
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([, value]) => value)
  const first = [inner, main].filter((value) => value !== undefined)
  const members = typeof main === 'object' && main !== null ? Object.values(main) : []
  return [...new Set([...first, ...others, ...members])]
}

function rank(name: string): number {
  return /app|server|build|create|make|init|fastify/i.test(name) ? 0 : 1
}

/** Returns true for a plugin that fastify-plugin has wrapped, and for a function that uses its first parameter as an instance. */
function isPlugin(candidate: Callable): boolean {
  if ((candidate as unknown as Record<symbol, unknown>)[Symbol.for('skip-override')]) return true
  const text = Function.prototype.toString.call(candidate)
  const [, name] = /^(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*)?\(?\s*([\w$]+)/.exec(text) ?? []
  if (name === undefined || candidate.length === 0) return false
  const uses = `\\b${name.replaceAll('$', '\\$')}\\s*\\.\\s*(?:register|route|get|post|put|patch|delete|head|options|all|addSchema|decorate\\w*|addHook|after|withTypeProvider)\\b`
  return new RegExp(uses).test(text)
}
