/** Drives the emitter: takes units from the cache, compiles the others, in threads if there are many, and reports failures. */
import { isDeepStrictEqual } from 'node:util'
import { compileAll } from './compile-all.ts'
import { createUnitCompiler, type Compiled } from './compile-unit.ts'
import {
  createExplain,
  explainConflict,
  explainShared,
  Faults,
  describePart,
  withoutMistake,
} from '../3-resolve/explain/index.ts'
import type { FunctionOptions } from '../3-resolve/function-options.ts'
import { createEmitter, EmitError, type Emitter, type Unchecked } from '../4-emit/index.ts'
import type { UnitStore } from '../cache/units.ts'
import type { TargetProfile } from '../servers/index.ts'
import type { ValidatorOptions } from '../../runtime/artifact/index.ts'
import {
  titleOfFunction,
  type ReplayCheck,
  type ReplayChecks,
} from '../../runtime/artifact/replay/index.ts'
import { createUnitFactory } from '../../runtime/artifact/units.ts'
import { diagnostic, warning } from '../report/errors.ts'
import type {
  Binding,
  CompileUnit,
  ContextTree,
  DefaultCompiler,
  Diagnostic,
  Digest,
  EmittedApp,
  ImportRef,
  PackedUnit,
  OnDiagnostic,
  ResolvedApp,
  SharedSchema,
} from '../model/index.ts'

export interface EmitOptions {
  /** The options that are functions, for each instance. */
  readonly functions: readonly FunctionOptions[]
  readonly profile: TargetProfile
  readonly store: UnitStore | undefined
  readonly report: OnDiagnostic
  /** Called if there are units to compile. */
  readonly beforeCompiling: () => void
}

/** Finds the emitter of an instance by its list of plugins, which the options of all parts share. Serializers have no plugins: any emitter will do. */
type EmitterOf = (unit: Pick<CompileUnit, 'options'>) => Emitter

/**
 * Compiles and packs every unit that isn't in the cache. Units that can't be compiled are reported once for each place, with the
 * routes that need them.
 */
export async function emitAll(
  app: ResolvedApp,
  tree: ContextTree,
  options: EmitOptions,
): Promise<EmittedApp> {
  const { functions, profile, store, report } = options
  const emitters = new Map(
    functions.map(({ origins, validator: { plugins } }) => [
      plugins,
      createEmitter({ origins, profile }),
    ]),
  )
  const emitterOf: EmitterOf = ({ options: { plugins } }) =>
    emitters.get(plugins as readonly unknown[]) ?? ([...emitters.values()][0] as Emitter)
  const broken = reportBrokenShared(app, emitterOf, options)
  const units = new Map<Digest, PackedUnit>()
  const fresh: CompileUnit[] = []
  for (const unit of app.units.values()) {
    const cached = store?.get(unit)
    if (cached !== undefined) units.set(unit.digest, cached)
    else if (!Object.values(unit.externals).some((one) => broken.has(one))) fresh.push(unit)
  }
  const reused = new Set(units.keys())
  const explain = createExplain(tree, profile)
  const incomplete = new Map<Digest, Diagnostic>()
  const faults = new Faults()
  if (fresh.length > 0) options.beforeCompiling()
  const results = await compileAll(
    fresh,
    createUnitCompiler({ emit: (unit) => emitterOf(unit).emit(unit) }),
    profile,
  )
  for (const [i, unit] of fresh.entries()) {
    const compiled = results[i] as Compiled
    if ('packed' in compiled) {
      units.set(unit.digest, compiled.packed)
      if (!compiled.isUnchecked) store?.put(unit, compiled.packed)
      continue
    }
    const { failure } = compiled
    const reasons = [failure, ...furtherReasons(unit, failure, emitterOf(unit).emit)]
    for (const binding of distinctSites(app, unit.digest)) {
      const explained = reasons.flatMap((reason) => explain(unit, binding, reason))
      for (const fault of explained) faults.add(fault, binding)
      const cause = explained.find(({ dynamic }) => dynamic !== undefined)?.dynamic
      if (cause) incomplete.set(unit.digest, cause)
    }
  }
  faults.report(report)
  const packed = [...app.units.keys()].flatMap((digest) => units.get(digest) ?? [])
  const replayChecks = replayChecksOf(packed, app, emitterOf, profile)
  for (const one of functions)
    for (const unchecked of emitterOf({ options: one.validator }).unchecked(one.validator))
      report(uncheckedWarning(unchecked, one))
  return { packed, incomplete, reused, replayChecks }
}

/** Returns the replay checks for each set of options that validators were compiled with. */
function replayChecksOf(
  packed: readonly PackedUnit[],
  { units }: ResolvedApp,
  emitterOf: EmitterOf,
  { validators }: TargetProfile,
): ReplayChecks[] {
  const byOptions = new Map<string, Map<string, ReplayCheck>>()
  for (const { digest, replayChecks = [] } of packed) {
    const { kind, options } = units.get(digest) as CompileUnit
    if (kind === 'serializer') continue
    const used = options as ValidatorOptions
    const [text = ''] = createUnitFactory('validator', {}, used, validators.line).settings()
    const list = byOptions.get(text) ?? new Map<string, ReplayCheck>()
    byOptions.set(text, list)
    for (const one of [...emitterOf({ options }).checksOf(used), ...replayChecks])
      list.set(JSON.stringify(one), one)
  }
  return [...byOptions]
    .map(([options, list]) => ({ options, list: [...list.values()] }))
    .filter(({ list }) => list.length > 0)
}

/** Warns of a function that no replay check covers, at the import that is nearest to its option. */
function uncheckedWarning(unchecked: Unchecked, functions: FunctionOptions): Diagnostic {
  const { option, keyword, member = [], reason } = unchecked
  const path = keyword === undefined ? [...option, ...member] : option
  const lengthOf = ({ option: path = [] }: ImportRef): number => path.length
  const [nearest] = [...functions.origins.values()]
    .filter(({ option: imported = [] }) =>
      imported.every((key, i) => i >= path.length || String(key) === String(path[i])),
    )
    .sort((a, b) => lengthOf(b) - lengthOf(a))
  if (nearest === undefined) throw new RangeError(`No function at ${path.join('.')}`)
  const what = titleOfFunction(unchecked)
  return warning('AOT_FUNCTION_NOT_COMPARED', nearest.at, what, reason)
}

/**
 * Finds further reasons why schemas are refused: compilers stop at the first mistake.
 *
 * @param compile throws if it refuses the schemas
 */
function* furtherReasons<Input extends Pick<CompileUnit, 'schema'> & Partial<CompileUnit>>(
  input: Input,
  reason: string,
  compile: (input: Input) => unknown,
): Iterable<string> {
  const without = (schema: unknown): unknown => withoutMistake(schema, reason)
  const externals = Object.entries(input.externals ?? {}).map(([id, one]) => [id, without(one)])
  const rest = {
    ...input,
    schema: without(input.schema),
    ...(input.externals && {
      externals: Object.fromEntries(externals) as CompileUnit['externals'],
    }),
  }
  if (isDeepStrictEqual(rest, input)) return
  const further = refusalOf(() => compile(rest))
  if (further === undefined) return
  yield further
  yield* furtherReasons(rest, further, compile)
}

/**
 * Reports shared schemas that are invalid, or can't be used together. Fastify gives all of them to each compiler, so that one invalid
 * schema keeps it from starting, even if no route uses it.
 *
 * @returns the schemas that cause problems
 */
function reportBrokenShared(
  app: ResolvedApp,
  emitterOf: EmitterOf,
  { store, report }: EmitOptions,
): ReadonlySet<unknown> {
  const broken = new Set<unknown>()
  const checked = { validator: new Set<unknown>(), serializer: new Set<unknown>() }
  for (const compiler of [...app.compilers].sort(validatorsFirst)) {
    const { kind, options, schemas } = compiler
    for (const one of schemas) {
      const { id, schema } = one
      if (broken.has(schema.value) || checked[kind].has(schema.value)) continue
      checked[kind].add(schema.value)
      const shared = { kind, id, schema: schema.value, options }
      const { checkShared } = emitterOf(shared)
      const check = (): void =>
        store === undefined ? checkShared(shared) : store.checked(shared, checkShared)
      const reason = refusalOf(check)
      if (reason === undefined) continue
      broken.add(schema.value)
      for (const each of [reason, ...furtherReasons(shared, reason, checkShared)])
        report(explainShared(one, each))
    }
    const problem = conflictIn(compiler, app, emitterOf(compiler))
    if (problem === undefined || schemas.some(({ schema }) => broken.has(schema.value))) continue
    report(problem)
    for (const one of Object.values(compiler.externals)) broken.add(one)
  }
  return broken
}

function validatorsFirst(one: DefaultCompiler, other: DefaultCompiler): number {
  return Number(other.kind === 'validator') - Number(one.kind === 'validator')
}

/** Finds shared schemas that a compiler refuses to have beside each other, which happens only if some contain others. */
function conflictIn(
  compiler: DefaultCompiler,
  { bindings, units }: ResolvedApp,
  emitter: Emitter,
): Diagnostic | undefined {
  const { kind, options, externals, schemas, context } = compiler
  const ids = JSON.stringify(externals).split('"$id":"').length - 1
  if (ids <= schemas.length) return undefined
  // Ajv gets all of them first. A serializer doesn't get those whose names its own schema contains.
  const responses = bindings.filter((one) => one.context === context && one.httpPart === undefined)
  const all = kind === 'validator' ? [{}] : responses.map(({ digest }) => units.get(digest)?.schema)
  const reason = all
    .map((schema) =>
      refusalOf(() => emitter.emit({ kind, digest: '', schema, externals, options })),
    )
    .find((one) => one !== undefined)
  if (reason === undefined) return undefined
  const problem = explainConflict(compiler, reason)
  if (problem !== undefined || kind === 'serializer') return problem
  return explainShared(schemas.at(-1) as SharedSchema, reason)
}

/** Returns the message of the compiler if it refuses something. */
function refusalOf(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!(error instanceof EmitError)) throw error
    return error.message
  }
}

/** The bindings of a unit, one for each place in each context: one declaration may create several routes. */
function distinctSites({ bindings }: ResolvedApp, digest: Digest): Iterable<Binding> {
  const sites = new Map<string, Binding>()
  for (const binding of bindings) {
    if (binding.digest !== digest) continue
    const { file, line, column } = binding.at
    const site = `${file}:${line}:${column} ${binding.context}`
    if (!sites.has(site)) sites.set(site, binding)
  }
  return sites.values()
}

/** Reports functions that fail where code generation is disallowed. @param reasons errors of the smoke test */
export function reportBroken(
  reasons: ReadonlyMap<Digest, string>,
  app: ResolvedApp,
  report: OnDiagnostic,
): void {
  for (const [digest, reason] of reasons) {
    for (const binding of distinctSites(app, digest)) {
      report(diagnostic('AOT_FUNCTION_BROKEN', binding.at, describePart(binding), reason))
    }
  }
}
