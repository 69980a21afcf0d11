import { setImmediate } from 'node:timers/promises'
import { createExplain, pathOfFault } from './3-resolve/explain.ts'
import type { LiveOptions } from './3-resolve/live-options.ts'
import { createEmitter, EmitError, separate, type Emitter, type Unwatched } from './4-emit/index.ts'
import type { Emission } from './5-bundle/manifest.ts'
import { createPacker } from './5-bundle/pack.ts'
import type { UnitStore } from './cache/units.ts'
import type { LineMeaning } from './lines/index.ts'
import { titleOfOption, type Rehearsal } from '../runtime/artifact/rehearsal.ts'
import { isOpen } from './report/dynamic.ts'
import { diagnostic, warning } from './report/errors.ts'
import type {
  Binding,
  CompileUnit,
  ContextTree,
  Diagnostic,
  Digest,
  EmittedUnit,
  ImportRef,
  PackedUnit,
  Report,
  ResolvedApp,
} from './model.ts'

/** After so many units the minifier gets its turn. */
const BATCH = 16

export interface EmittedApp extends Emission {
  readonly reused: ReadonlySet<Digest>
  readonly rehearsals: readonly Rehearsal[]
}

/**
 * Compiles and packs every unit that `store` does not have; a unit that cannot be compiled is reported once at each
 * place in each context.
 */
export async function emitAll(
  app: ResolvedApp,
  tree: ContextTree,
  live: LiveOptions,
  report: Report,
  store: UnitStore | undefined,
  line?: LineMeaning,
): Promise<EmittedApp> {
  const emitter = createEmitter({ origins: live.origins, line })
  const explain = createExplain(tree, line)
  const pack = createPacker()
  const packing: Promise<PackedUnit>[] = []
  const incomplete = new Map<Digest, Diagnostic>()
  const reused = new Set<Digest>()
  const broken = reportBrokenShared(app, emitter, live, report)
  for (const unit of app.units.values()) {
    const known = store?.get(unit)
    if (known !== undefined) {
      packing.push(Promise.resolve(known))
      reused.add(unit.digest)
      continue
    }
    if (Object.values(unit.externals).some((one) => broken.has(one))) continue
    try {
      packing.push(packInto(unit, emitter.emit(unit)))
    } catch (error) {
      if (!(error instanceof EmitError)) throw error
      for (const binding of distinctSites(app, unit.digest)) {
        const problems = explain(binding, error.message)
        problems.forEach(report)
        const cause = problems.find(isOpen)
        if (cause) incomplete.set(unit.digest, cause)
      }
    }
    // The minifier is a process of its own: it works while the next units are compiled.
    if (packing.length % BATCH === 0) await setImmediate()
  }
  const packed = await Promise.all(packing)
  // Where none could be made, it has been told why.
  const hasValidators = packed.some(({ digest }) => app.units.get(digest)?.kind === 'validator')
  const rehearsals = distinct([
    ...(hasValidators ? emitter.rehearse(live.validator) : []),
    ...packed.flatMap((unit) => unit.rehearsals ?? []),
  ])
  for (const one of emitter.unwatched(live.validator)) report(warnOf(one, live))
  return { packed, incomplete, reused, rehearsals }

  async function packInto(unit: CompileUnit, emitted: EmittedUnit): Promise<PackedUnit> {
    const packed = await pack(separate(emitted))
    if (emitted.isUnwatched !== true) store?.put(unit, packed)
    return packed
  }
}

/** At the import, or the function itself, that the option names most closely. */
function warnOf(
  { option, keyword, member = [], reason }: Unwatched,
  live: LiveOptions,
): Diagnostic {
  const path = keyword === undefined ? [...option, ...member] : option
  const lengthOf = ({ option: own = [] }: ImportRef): number => own.length
  const [nearest] = [...live.origins.values()]
    .filter(({ option: own = [] }) =>
      own.every((key, i) => i >= path.length || String(key) === String(path[i])),
    )
    .sort((a, b) => lengthOf(b) - lengthOf(a))
  if (nearest === undefined) throw new RangeError(`No function at ${path.join('.')}`)
  const what = titleOfOption(option, keyword, member)
  return warning('AOT_FUNCTION_NOT_COMPARED', nearest.at, what, reason)
}

function distinct(rehearsals: readonly Rehearsal[]): Rehearsal[] {
  return [...new Map(rehearsals.map((one) => [JSON.stringify(one), one])).values()]
}

/**
 * Reports shared schemas that are invalid. Fastify gives all of them to each compiler, so that it does not start with
 * one, used or not.
 *
 * @returns the schemas
 */
function reportBrokenShared(
  { shared }: ResolvedApp,
  emitter: Emitter,
  live: LiveOptions,
  report: Report,
): ReadonlySet<unknown> {
  const broken = new Set<unknown>()
  for (const kind of ['validator', 'serializer'] as const) {
    for (const { id, schema } of shared[kind]) {
      if (broken.has(schema.value)) continue
      try {
        emitter.checkShared({ kind, id, schema: schema.value, options: live[kind] })
      } catch (error) {
        if (!(error instanceof EmitError)) throw error
        broken.add(schema.value)
        const what = `shared schema "${id}"`
        const at = schema.locate(pathOfFault(schema.value, error.message))
        report(diagnostic('AOT_SCHEMA_INVALID', at, what, error.message))
      }
    }
  }
  return broken
}

/** One binding for each place in each context: one declaration may have given several routes. */
export function distinctSites({ bindings }: ResolvedApp, digest: Digest): Iterable<Binding> {
  const sites = new Map<string, Binding>()
  for (const binding of bindings) {
    if (binding.digest !== digest) continue
    const { file, line, column } = binding.at
    const site = `${file}:${line}:${column} ${binding.context}`
    if (!sites.has(site)) sites.set(site, binding)
  }
  return sites.values()
}
