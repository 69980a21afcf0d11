/** Explains references that lead nowhere. */
import { addressOf } from '../../../runtime/artifact/reach.ts'
import { closest } from '../../report/closest.ts'
import { isWithin } from '../../report/context-path.ts'
import { diagnostic } from '../../report/errors.ts'
import type { Binding, Diagnostic, SourceLocation, UnknownSchema } from '../../model/index.ts'
import { findMember } from '../../util/json.ts'
import type { Document } from './documents.ts'
import type { Fault } from './faults.ts'
import { didYouMean, nearPointers, pointersIn } from './near-misses.ts'
import type { BrokenRef } from './reach.ts'
import { listOf, nameOf, describePart } from './subjects.ts'

/** A shared schema, with the context that it is added to. */
interface Holder {
  readonly context: string
  readonly document: Document
}

/** A shared schema that isn't known. */
interface Missing {
  readonly context: string
  readonly unknown: UnknownSchema
}

export interface Surroundings {
  readonly holders: readonly Holder[]
  readonly missing: readonly Missing[]
  /** True if the application has its own bucket of shared schemas, which may contain others. */
  readonly hasOwnBucket: boolean
}

/** Returns the broken references, including those in `found`, if the error message is about one. */
export function brokenBy(
  reason: string,
  found: readonly BrokenRef[],
  part: Document,
  visible: readonly Document[],
): readonly BrokenRef[] {
  const ref =
    /can't resolve reference (\S+) from id/.exec(reason)?.[1] ??
    /Cannot (?:find|resolve) ref(?:erence)? "([^"]*)"/.exec(reason)?.[1]
  if (ref === undefined) return []
  // fast-json-stringify puts the schema that contains the reference in front.
  if (found.some((one) => withoutHash(ref).endsWith(withoutHash(one.ref)))) return found
  const isThisRef = (key: string | number, value: unknown): boolean =>
    key === '$ref' && value === ref
  for (const document of [part, ...visible]) {
    const path = findMember(document.schema, isThisRef)
    if (path !== undefined) return [{ document, path, ref, target: undefined }, ...found]
  }
  return [{ document: part, path: [], ref, target: undefined }, ...found]
}

/** fast-json-stringify adds a `#` to a name. */
function withoutHash(ref: string): string {
  return ref.replace(/#$/, '')
}

export function explainBroken(
  binding: Binding,
  broken: BrokenRef,
  surroundings: Surroundings,
): Fault {
  const { document, path, ref, target } = broken
  const at = document.locate(path)
  const toFault = (
    about: readonly string[],
    describe: Fault['describe'],
    dynamic?: Diagnostic,
  ): Fault => ({
    key: [at.file, at.line, at.column, ref, ...about].join('\n'),
    ...(dynamic && { dynamic }),
    describe,
  })
  if (target !== undefined) {
    return toFault([], (sites) =>
      diagnostic('AOT_REF_UNRESOLVED', at, ref, whereIn(broken, at, sites), hintFor(ref, target)),
    )
  }
  if (withoutHash(ref) === '') {
    return toFault([describePart(binding)], (sites) => {
      const where = `refers to the ${nameOf(document, at, sites)} itself, which has no \`$id\``
      return diagnostic('AOT_REF_UNRESOLVED', at, ref, where, 'Give it one.')
    })
  }
  const { holders, missing, hasOwnBucket } = surroundings
  const address = addressOf(ref)
  const isSeen = ({ context }: { context: string }): boolean => isWithin(binding.context, context)
  const cause = missing.find(
    (one) => isSeen(one) && (one.unknown.id === undefined || addressOf(one.unknown.id) === address),
  )?.unknown
  if (cause !== undefined || hasOwnBucket) {
    const what = describePart(binding)
    const why = cause
      ? `the shared schema of ${cause.at.file}:${cause.at.line} is not known`
      : 'the application keeps its shared schemas in a bucket of its own'
    // A missing import is reported there, whatever follows from it.
    const problem =
      cause?.problem.code === 'AOT_IMPORT_NOT_FOUND'
        ? cause.problem
        : diagnostic('AOT_SCHEMA_NOT_STATIC', at, what, `it refers to "${ref}", and ${why}`)
    return toFault([what, binding.context], () => problem, problem)
  }
  const named = holders.filter(
    ({ document: { shared } }) => addressOf(shared?.id ?? '') === address,
  )
  if (address !== '' && named.length > 0) {
    const places = named.map(
      ({ context, document: { shared } }) => `"${context}" (${shared?.at.file}:${shared?.at.line})`,
    )
    return toFault(['elsewhere'], (sites) =>
      diagnostic('AOT_REF_OUT_OF_SCOPE', at, ref, contextsOf(sites), places.join(' and ')),
    )
  }
  const ids = holders.filter(isSeen).map(({ document: { shared } }) => shared?.id ?? '')
  const { $id } = document.schema as { $id?: unknown }
  const isOwn = typeof $id === 'string' && addressOf($id) === address
  const near = isOwn
    ? `The schema itself is "${ref.replace(/^[^#]*#?/, '#')}".`
    : didYouMean(closest(address, [...new Set(ids)]))
  const hint = near ?? 'Add the schema with `addSchema`, or correct the reference.'
  return toFault([hint], (sites) => {
    const contexts = contextsOf(sites)
    const where = `does not exist in the context${contexts.length > 1 ? 's' : ''} ${listOf(contexts)}`
    return diagnostic('AOT_REF_UNRESOLVED', at, ref, where, hint)
  })
}

function contextsOf(sites: readonly Binding[]): readonly string[] {
  return [...new Set(sites.map(({ context }) => `"${context}"`))]
}

function whereIn(
  { document, target }: BrokenRef,
  at: SourceLocation,
  sites: readonly Binding[],
): string {
  const name = nameOf(document, at, sites)
  if (target === document) return `points to nothing in the ${name}`
  return `of the ${name} points to nothing in the shared schema "${target?.shared?.id}"`
}

function hintFor(ref: string, { schema }: Document): string {
  const hash = ref.indexOf('#')
  const name = ref.slice(0, hash)
  const near = didYouMean(nearPointers(ref.slice(hash + 1), schema).map((one) => `${name}#${one}`))
  if (near !== undefined) return near
  const definitions = pointersIn(schema).filter((one) =>
    /^\/(definitions|\$defs)\/[^/]+$/.test(one),
  )
  const correct = 'Correct the part after "#"'
  if (definitions.length === 0) return `${correct}; the schema has no definitions.`
  return `${correct}; the schema defines ${listOf(definitions.map((one) => `"#${one}"`))}.`
}
