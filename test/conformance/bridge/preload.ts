/**
 * Preloaded: every schema that a Fastify of this process compiles is compiled ahead for its line, and then found by the
 * bridge as in an artifact. `LINE` names the line. Appends the numbers of found and missed schemas to the file `COUNTS`.
 */
import { appendFileSync } from 'node:fs'
import { createEmitter, EmitError } from '../../../compiler/4-emit/index.ts'
import { evaluate } from '../../../compiler/dev/in-process.ts'
import { profileOf } from '../../../compiler/servers/index.ts'
import type {
  Artifact,
  CompiledFunction,
  Digest,
  SerializerOptions,
  ValidatorOptions,
} from '../../../runtime/artifact/index.ts'
import type { FastifyLine } from '../../../runtime/artifact/lines.ts'
import { type UnitFactory, createUnitFactory } from '../../../runtime/artifact/units.ts'
import { createCompilers } from '../../../runtime/bridge/compilers.ts'
import type { Compile, FastifyBuild } from '../../../runtime/bridge/compilers.ts'
import { type Kind, replaceCompilers, type RequireCall } from '../../../runtime/bridge/modules.ts'
import type { Target } from '../../../runtime/bridge/compile-target.ts'

const { LINE = '', COUNTS = '' } = process.env
const line = LINE as FastifyLine
const emitter = createEmitter({ profile: profileOf(line) })
const counts = { found: 0, missed: 0 }
process.once('exit', () => appendFileSync(COUNTS, `${JSON.stringify(counts)}\n`))

/** The functions in the artifact so far. */
const functions = new Map<Digest, CompiledFunction>()

const artifact = {
  has: (digest: Digest) => functions.has(digest),
  load: (digest: Digest) => functions.get(digest) as CompiledFunction,
  leftOut: () => undefined,
  changeOf: () => undefined,
} as Pick<Artifact, 'has' | 'load' | 'leftOut' | 'changeOf'> as Artifact

const calls = new Map<string, RequireCall>()

replaceCompilers((call) => {
  calls.set(call.kind, call)
  return () => buildOf(call.kind)
})

/** Replaces a compiler package of Fastify. */
function buildOf(kind: Kind): FastifyBuild {
  const own = (one: Kind): FastifyBuild => {
    let made: FastifyBuild | undefined
    const load = (): FastifyBuild =>
      ((calls.get(one) as RequireCall).load() as () => FastifyBuild)()
    return (externals, options) => (made ??= load())(externals, options)
  }
  const compilers = createCompilers({
    artifact,
    line,
    serializers: line,
    lowersHeaders: false,
    fastify: { buildValidator: own('validator'), buildSerializer: own('serializer') },
    fits: () => true,
    reportMiss: () => void counts.missed++,
  })
  const build = (
    kind === 'validator' ? compilers.buildValidator : compilers.buildSerializer
  ) as FastifyBuild
  /** Contexts share compilers: tests look at that. */
  const wrapped = new WeakMap<Compile, Compile>()
  return (externals, options): Compile => {
    const compile = build(externals, options)
    let known = wrapped.get(compile)
    if (known === undefined) {
      const units = unitsOf(kind, externals, options)
      known = (target) => {
        addTo(units, target)
        return compile(target)
      }
      wrapped.set(compile, known)
    }
    return known
  }
}

function unitsOf(
  kind: Kind,
  externals: Readonly<Record<string, unknown>>,
  options: unknown,
): UnitFactory {
  if (kind === 'serializer') {
    return createUnitFactory('serializer', externals, (options ?? {}) as SerializerOptions, line)
  }
  const { customOptions, plugins, mode, onCreate } = options as ValidatorOptions
  const given = { customOptions, plugins, mode, onCreate }
  return createUnitFactory('validator', externals, given, line)
}

/** As a build would; what it would refuse is missing. */
function addTo(units: UnitFactory, { schema }: Target): void {
  try {
    const unit = units.unit(schema as object)
    if (!functions.has(unit.digest)) {
      functions.set(unit.digest, evaluate(emitter.emitInProcess(unit)))
    }
    counts.found++
  } catch (error) {
    // A schema that has no JSON has no unit either.
    if (!(error instanceof EmitError || error instanceof TypeError || error instanceof RangeError))
      throw error
  }
}
