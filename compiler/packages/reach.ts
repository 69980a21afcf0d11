import type { ModuleGraph } from './graph.ts'
import type { FileSummary, FunctionSummary, Site, Target } from './summary.ts'
import { WHOLE } from './summary.ts'

/** How sure it is that code is generated: when a module is loaded, when it is used, or perhaps. */
export type Certainty = 'loaded' | 'used' | 'perhaps'

/** A place that generates code, and how an import of the application comes to it. */
export interface Reached {
  readonly certainty: Certainty
  readonly site: Site
  /** Absolute files, from the one that is imported to the one with the site. */
  readonly files: readonly string[]
}

interface Step {
  readonly file: string
  readonly id: number
  readonly from: Step | undefined
}

const ORDER: readonly Certainty[] = ['loaded', 'used', 'perhaps']

/** Where the application imports a package. */
export interface Start {
  readonly file: string
  /** It is loaded with the application, rather than on some condition. */
  readonly isCertain: boolean
  /** All names that the application mentions. */
  readonly names: ReadonlySet<string>
}

/**
 * The places that generate code which a module comes to when it is loaded and used, the most certain first.
 *
 * What is called is told by names: a function counts as called when a file that can have got it reads a member of its
 * name. So it is never more than `perhaps`, unless all calls on the way name the very function.
 */
export function reachedFrom(
  start: Start,
  graph: ModuleGraph,
  summaryOf: (file: string) => FileSummary | undefined,
): readonly Reached[] {
  const queues: Record<Certainty, Step[]> = { loaded: [], used: [], perhaps: [] }
  const seen = new Set<string>()
  /** Files that read a name, and what is put under it, with the steps that it happens in. */
  const readers = new Map<string, Map<string, Step>>()
  const put = new Map<string, { readonly target: Target; readonly step: Step }[]>()
  const closures = new Map<string, ReadonlySet<string>>()
  const found: Reached[] = []

  load(start.file, start.isCertain ? 'loaded' : 'perhaps', undefined)
  for (const certainty of ORDER) {
    for (let step = queues[certainty].shift(); step; step = queues[certainty].shift()) {
      run(step, certainty)
    }
    if (certainty === 'loaded') useExport(start.file, WHOLE, 'used', undefined)
  }
  return found

  function run(step: Step, certainty: Certainty): void {
    const key = `${step.file}\n${step.id}`
    const fn = summaryOf(step.file)?.functions[step.id]
    if (fn === undefined || seen.has(key)) return
    seen.add(key)
    for (const site of fn.sites) {
      const files = filesOf(step)
      found.push({ certainty: site.isCertain ? certainty : 'perhaps', site, files })
    }
    follow(fn, step, certainty)
  }

  function follow(fn: FunctionSummary, step: Step, certainty: Certainty): void {
    const imports = graph.imports.get(step.file)
    const lower = (isCertain: boolean): Certainty => (isCertain ? certainty : 'perhaps')
    for (const { specifier, isCertain } of fn.loads) {
      const file = imports?.get(specifier)
      if (file !== undefined) load(file, lower(isCertain), step)
    }
    if (fn.makesThread) {
      for (const specifier of summaryOf(step.file)?.workers ?? []) {
        const file = imports?.get(specifier)
        if (file !== undefined) load(file, 'perhaps', step)
      }
    }
    for (const { name, target } of fn.puts) noteput(name, target, step)
    for (const { target, isCertain } of fn.uses) enter(target, lower(isCertain), step)
    for (const name of fn.reads) noteRead(name, step)
  }

  function load(file: string, certainty: Certainty, from: Step | undefined): void {
    queues[certainty].push({ file, id: 0, from })
  }

  /** A function is used that stands in `step`, or that `step` has imported. */
  function enter(target: Target, certainty: Certainty, step: Step): void {
    if (target.type === 'function') {
      queues[certainty].push({ file: step.file, id: target.id, from: step })
    } else if (target.type === 'import') {
      const file = graph.imports.get(step.file)?.get(target.specifier)
      if (file !== undefined) useExport(file, target.name ?? WHOLE, certainty, step)
    }
  }

  /** What a file exports under a name; modules are loaded before what they export is used. */
  function useExport(
    file: string,
    name: string,
    certainty: Certainty,
    from: Step | undefined,
    depth = 0,
  ): void {
    const module = summaryOf(file)?.functions[0]
    if (module === undefined || depth > 20) return
    const step: Step = { file, id: 0, from }
    const puts = module.puts.filter((one) => one.name === name)
    for (const { target } of puts) {
      if (target.type === 'function') {
        queues[certainty].push({ file, id: target.id, from: step })
      } else if (target.type === 'import') {
        const next = graph.imports.get(file)?.get(target.specifier)
        if (next !== undefined) useExport(next, target.name ?? WHOLE, certainty, step, depth + 1)
      }
    }
    // It may come from a module that is exported as a whole.
    if (puts.length === 0 && name !== WHOLE) noteRead(name, step)
  }

  function noteput(name: string, target: Target, step: Step): void {
    if (name === WHOLE) return
    const all = put.get(name) ?? []
    put.set(name, [...all, { target, step }])
    if (start.names.has(name)) enter(target, 'perhaps', step)
    else if ([...(readers.get(name)?.keys() ?? [])].some((file) => canReach(file, step.file))) {
      enter(target, 'perhaps', step)
    }
  }

  function noteRead(name: string, step: Step): void {
    const files = readers.get(name) ?? new Map<string, Step>()
    if (files.has(step.file)) return
    readers.set(name, files.set(step.file, step))
    for (const one of put.get(name) ?? []) {
      if (canReach(step.file, one.step.file)) enter(one.target, 'perhaps', one.step)
    }
  }

  function canReach(from: string, to: string): boolean {
    let closure = closures.get(from)
    if (closure === undefined) {
      const files = new Set([from])
      for (const file of files) {
        for (const next of graph.imports.get(file)?.values() ?? []) files.add(next)
      }
      closures.set(from, (closure = files))
    }
    return closure.has(to)
  }
}

function filesOf(last: Step): string[] {
  const files: string[] = []
  for (let step: Step | undefined = last; step !== undefined; step = step.from) {
    if (files[0] !== step.file) files.unshift(step.file)
  }
  return files
}
