/** Builds the plain data of one alternative of a value. Unknown parts are left out and listed as holes. */
import { isDeepStrictEqual } from 'node:util'
import type { ScannedSchema, SchemaHole, SourceLocation } from '../model/index.ts'
import { anyKnown, isAnnotation } from './values/annotations.ts'
import type { Choice, ChoiceKey, Deferred, Unknown, Value } from './values/index.ts'
import { absent, primitive } from './values/index.ts'
import type { ScanMachine } from './machine.ts'
import type { ExternalMutation } from './evaluation/deferrals.ts'
import { describeResponses, libraryPartOf } from '../sandbox/described.ts'
import type { Outcome } from '../sandbox/protocol.ts'
import { ts } from '../util/source/project.ts'
import { memberOf, placeAt, type Path } from './value-places.ts'

type ObjectLike = Extract<Value, { kind: 'object' | 'namespace' }>

/** The option of a choice in the alternative that is being built, and the number of options. */
interface PickedOption {
  readonly count: number
  index: number
}

export type Picks = Map<ChoiceKey, PickedOption>

const folderWhy = 'it depends on the folder that the application is in'

export class PlainDataBuilder {
  readonly #machine: ScanMachine
  readonly #outcomes: ReadonlyMap<Deferred, Outcome>
  readonly #picks: Picks
  readonly #holes: SchemaHole[] = []
  /** The values that contain the one that is being visited. */
  readonly #ancestors = new Set<Value>()
  /** The paths of results of the sandbox. */
  readonly #computed: Path[] = []

  constructor(machine: ScanMachine, outcomes: ReadonlyMap<Deferred, Outcome>, picks: Picks) {
    this.#machine = machine
    this.#outcomes = outcomes
    this.#picks = picks
  }

  build(root: Value): Omit<ScannedSchema, 'branches'> {
    const { project, entryFile } = this.#machine
    const plain = this.#visit(root, [])
    const at = project.locate(root.at ?? entryFile)
    // Copied, because `locate` may be called while another alternative is being built.
    const picks = new Map([...this.#picks].map(([key, pick]) => [key, pick.index]))
    const locate = (path: Path, what?: 'name'): SourceLocation => {
      const place = placeAt(this.#machine, root, path, picks, plain, what)
      return place === undefined ? at : project.locate(place)
    }
    const origins = this.#computed.map((path) => ({ path, origin: 'sliced' as const }))
    return { value: { value: plain, at, origins, locate }, holes: this.#holes }
  }

  #visit(given: Value, path: Path): unknown {
    const value = this.#pickFor(given, path)
    switch (value.kind) {
      case 'primitive':
        return this.#scalar(value, value.value, path)
      case 'object':
      case 'array':
      case 'namespace':
        if (this.#ancestors.has(value)) return this.#hole(value, path, 'it contains itself')
        this.#ancestors.add(value)
        try {
          return value.kind === 'array' ? this.#array(value, path) : this.#object(value, path)
        } finally {
          this.#ancestors.delete(value)
        }
      case 'deferred':
        return this.#insert(value, path)
      case 'unknown':
        return isAnnotation(path) ? undefined : this.#hole(value, path, value.why)
      case 'native':
        return this.#hole(value, path, 'it is a function')
      case 'function':
      case 'class':
        return this.#hole(value, path, `it is a ${value.kind}`)
      case 'instance':
        return this.#hole(value, path, 'it is a server instance')
      case 'choice':
        return undefined // Not reached: `#pickFor` takes one of the options.
    }
  }

  #scalar(value: Value, scalar: unknown, path: Path): unknown {
    if (typeof scalar === 'symbol' || typeof scalar === 'bigint') {
      const isSymbol = typeof scalar === 'symbol'
      return this.#hole(value, path, `it is a ${typeof scalar}`, { isSymbol })
    }
    const isLiteral = value.at !== undefined && ts.isStringLiteralLike(value.at)
    if (isLiteral || !this.#holdsFolder(scalar, path)) return scalar
    return this.#hole(value, path, folderWhy)
  }

  #array({ elements, uncertainty }: Extract<Value, { kind: 'array' }>, path: Path): unknown {
    if (uncertainty !== undefined) return this.#hole(uncertainty, path, uncertainty.why)
    // Absent optional elements leave no gap.
    return elements
      .filter((element) => this.#choose(element) !== absent)
      .map((element, index) => this.#visit(element, [...path, index]))
  }

  #object(value: ObjectLike, path: Path): unknown {
    const changed = this.#machine.deferrals
      .externalMutationsOf(value)
      .find((mutation) => this.#mayChange(mutation))
    if (changed !== undefined) {
      const call = primitive(undefined, changed.at)
      return this.#hole(call, path, 'a package changes it here')
    }
    let result = new Map<string, unknown>()
    if (value.kind === 'object') {
      const why = whyNotPlain(value, path)
      if (why !== undefined) return this.#hole(value, path, why)
      const base = value.base && this.#visit(value.base, path)
      result = new Map(Object.entries(base ?? {}))
    }
    for (const name of namesOf(value)) {
      if (value.kind === 'object' && value.members.get(name)?.hidden === true) continue
      const memberPath = [...path, name]
      const member = this.#pickFor(readMember(this.#machine, value, name), memberPath)
      const before = this.#holes.length
      const plain = member === absent ? undefined : this.#visit(member, memberPath)
      const isMissing =
        member === absent ||
        this.#holes
          .slice(before)
          .some((hole) => hole.path.length === memberPath.length && hole.described === undefined)
      if (isMissing) result.delete(name)
      else result.set(name, plain)
    }
    return Object.fromEntries(result)
  }

  #mayChange({ before, after }: ExternalMutation): boolean {
    const [first, second] = [this.#outcomes.get(before), this.#outcomes.get(after)]
    return second?.type !== 'plain' || !isDeepStrictEqual(first, second)
  }

  /** Inserts a copy of a result of the sandbox: the same expression may be part of other values. */
  #insert(value: Deferred, path: Path): unknown {
    this.#computed.push(path)
    let outcome = this.#outcomes.get(value)
    if (outcome?.type === 'failed' && outcome.undecided) {
      outcome = this.#machine.deferrals.plainUnder(value, (choice) => this.#pick(choice))
    }
    if (outcome?.type !== 'plain') {
      const why = outcome?.type === 'failed' ? outcome.why : 'it has no value'
      return this.#hole(value, path, why)
    }
    for (const hole of outcome.holes) {
      const holePath = [...path, ...hole.path]
      if (hole.isAnnotation && isAnnotation(holePath)) continue
      this.#hole(value, holePath, hole.why, {
        isSymbol: hole.isSymbol,
        described: libraryPartOf(hole),
      })
    }
    const plain = describeResponses(structuredClone(outcome.value), outcome.holes, path)
    return this.#holdsFolder(plain, path) ? this.#hole(value, path, folderWhy) : plain
  }

  /** Returns whether data names the folder of the application, which differs from machine to machine. */
  #holdsFolder(value: unknown, path: Path): boolean {
    if (typeof value === 'string') {
      return namesFolder(value, this.#machine.project.root) && !isAnnotation(path)
    }
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([name, one]) => this.#holdsFolder(one, [...path, name]))
  }

  #hole(
    value: Value,
    path: Path,
    why: string,
    more: Pick<SchemaHole, 'isSymbol' | 'described'> = {},
  ): undefined {
    const { project, entryFile } = this.#machine
    const { reported = false, missing }: Partial<Unknown> = value.kind === 'unknown' ? value : {}
    // Built-in values have no place in the source.
    const container = [...this.#ancestors].findLast((one) => one.at !== undefined)
    const at = project.locate(missing?.at ?? value.at ?? container?.at ?? entryFile)
    this.#holes.push({ path, why, at, reported, missing: missing?.specifier, ...more })
  }

  /** Returns the option that is picked. For an annotation, any known option will do. */
  #pickFor(value: Value, path: Path): Value {
    return isAnnotation(path) ? anyKnown(value) : this.#choose(value)
  }

  #choose(value: Value): Value {
    return value.kind === 'choice' ? this.#choose(this.#pick(value)) : value
  }

  #pick({ key, options }: Choice): Value {
    let pick = this.#picks.get(key)
    if (pick === undefined) this.#picks.set(key, (pick = { count: options.length, index: 0 }))
    return options[pick.index] ?? absent
  }
}

/** Returns whether a text contains the path of a folder: `file:///app/x` does for `/app`, `/api/apps` doesn't. */
function namesFolder(text: string, folder: string): boolean {
  const parts = text.split(folder)
  const isEnd = (index: number): boolean =>
    !/[\w.-]$/.test(parts[index - 1] ?? '') && !/^[\w-]/.test(parts[index] ?? '')
  return parts.some((_, index) => index > 0 && isEnd(index))
}

function whyNotPlain(
  { computeMember, collection, class: maker }: Extract<Value, { kind: 'object' }>,
  path: Path,
): string | undefined {
  if (computeMember !== undefined) return 'it depends on the environment'
  if (collection?.kind === 'iterator') return 'it is an iterator'
  if (collection !== undefined) return 'it is a map or a set'
  // An object inside is probably a schema of a validation library, which isn't JSON Schema.
  return maker && path.length > 0 ? `it is an object of the class \`${maker.name}\`` : undefined
}

export function namesOf(value: ObjectLike): string[] {
  const names = value.kind === 'object' ? [...value.members.keys()] : value.names()
  return names.filter((name) => typeof name === 'string')
}

export function readMember(m: ScanMachine, value: ObjectLike, name: string): Value {
  return value.kind === 'object' ? memberOf(m, value, name) : (value.read(name) ?? absent)
}
