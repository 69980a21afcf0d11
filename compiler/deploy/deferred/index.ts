/**
 * In one file rollup runs what `import()` loads when the program starts. Here such modules become functions, which run when they
 * are first asked for, with all that only they import.
 */
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { OWN } from '../own.ts'
import type { SyntaxNode } from '../syntax/walk.ts'
import { childOf, walk } from '../syntax/walk.ts'
import { deferModule } from './defer.ts'

/** The module that knows the others by their numbers, and runs them. */
const REGISTRY = `${OWN}deferred`

/** As the language says it: each once, those that it imports before, an error again and again. */
const registry = `const modules = []
export function defer(number, imports, run) {
  modules[number] = { imports, run, isStarted: false, waits: undefined, failure: undefined }
}
function start(number) {
  const module = modules[number]
  // Nobody uses anything of it.
  if (module === undefined) return undefined
  if (!module.isStarted) {
    module.isStarted = true
    try {
      const waits = module.imports.map(start).filter((wait) => wait !== undefined)
      module.waits = waits.length > 0 ? Promise.all(waits).then(module.run) : module.run()
    } catch (error) {
      module.failure = { error }
    }
  }
  if (module.failure !== undefined) throw module.failure.error
  return module.waits
}
export const started = async (number, module) => {
  await start(number)
  return module
}
`

/** A module that nothing but `import()` loads. */
export interface Deferred {
  readonly id: string
  /** Those of them that it imports, by their numbers. */
  readonly imports: readonly number[]
}

/** Tells of such modules, by their numbers, once all are known. */
export function findDeferred(found: (modules: readonly Deferred[]) => void): Plugin {
  return {
    name: 'framework-find-deferred',
    buildEnd(error) {
      if (error !== undefined) return
      const ids = [...this.getModuleIds()]
      const importsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.importedIds ?? []
      const atStart = new Set(ids.filter((id) => this.getModuleInfo(id)?.isEntry))
      for (const id of atStart) for (const imported of importsOf(id)) atStart.add(imported)
      const deferred = ids.filter(
        (id) => !atStart.has(id) && this.getModuleInfo(id)?.isExternal === false,
      )
      const numbers = new Map(deferred.map((id, number) => [id, number]))
      found(
        deferred.map((id) => ({
          id,
          imports: importsOf(id).flatMap((imported) => numbers.get(imported) ?? []),
        })),
      )
    },
  }
}

/** Makes functions of modules that only `import()` loads. */
export function deferModules(modules: readonly Deferred[]): Plugin {
  const numbers = new Map(modules.map(({ id }, number) => [id, number]))
  return {
    name: 'framework-defer',
    resolveId: { order: 'pre', handler: (name) => (name === REGISTRY ? name : null) },
    load: { order: 'pre', handler: (id) => (id === REGISTRY ? registry : null) },
    async transform(code, id) {
      if (numbers.size === 0 || id === REGISTRY) return null
      const number = numbers.get(id)
      if (number === undefined && !code.includes('import')) return null
      const program = this.parse(code) as unknown as SyntaxNode
      const text = new MagicString(code)
      const loads: SyntaxNode[] = []
      walk(program, (node) => void (node.type === 'ImportExpression' && loads.push(node)))
      for (const load of loads) {
        const { value } = childOf(load, 'source')
        const target = typeof value === 'string' ? await this.resolve(value, id) : null
        const loaded = numbers.get(target?.id ?? '')
        if (loaded === undefined) continue
        text.appendLeft(load.end, `.then((module) => __started(${loaded}, module))`)
      }
      if (number !== undefined) {
        const { imports } = modules[number] as Deferred
        deferModule(program, text, (isAsync) => [
          `__defer(${number}, ${JSON.stringify(imports)}, ${isAsync ? 'async ' : ''}() => {`,
          '\n});',
        ])
      }
      if (!text.hasChanged()) return null
      text.prepend(`import { defer as __defer, started as __started } from '${REGISTRY}';`)
      return { code: text.toString(), map: text.generateMap({ hires: true }) }
    },
  }
}
