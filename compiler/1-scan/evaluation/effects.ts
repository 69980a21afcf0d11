/** Calls made for their side effects: on the value, on the object that it is a part of, and on the state of the package. */
import { withCall } from '../values/changes.ts'
import type { Changeable, Deferred } from '../values/index.ts'
import type { Journal } from '../values/journal.ts'
import { type Import, importOf, ownerOf } from './operations.ts'
import { memberCode } from '../../sandbox/protocol.ts'

/** Returns whether the package of an import depends on another one. */
type DependsOn = (source: Import, name: string) => boolean

export class Effects {
  readonly #packages = new Map<string, Changeable>()
  readonly #read = new WeakMap<Import, { of: number; all: readonly Changeable[] }>()
  readonly #journal: () => Journal
  readonly #dependsOn: DependsOn

  constructor(journal: () => Journal, dependsOn: DependsOn) {
    this.#journal = journal
    this.#dependsOn = dependsOn
  }

  /** @param isOfPackage false for what the package has handed out, which is mostly apart from its own state */
  add(target: Deferred, effect: Deferred, isOfPackage: boolean): void {
    for (let one: Deferred | undefined = target; one !== undefined; one = wholeOf(one))
      this.#note(one, effect, true)
    const source = importOf(target)
    if (source === undefined) return
    const name = packageName(source.specifier)
    let state = this.#packages.get(name)
    if (state === undefined)
      this.#packages.set(
        name,
        (state = { number: -1 - this.#packages.size, changes: undefined, earlier: [] }),
      )
    this.#note(state, effect, isOfPackage)
  }

  /** Adds a call that was made for its result, but may have changed the value. */
  addCall(target: Deferred, call: Deferred): void {
    this.#note(target, call, false)
  }

  /** Returns what a value may read: its own object, its package, and those that the package depends on. */
  readBy(value: Deferred): readonly Changeable[] {
    const source = importOf(value)
    if (source === undefined) return [value]
    const all = this.#packagesOf(source)
    return value.source.op === 'import' ? all : [value, ...all]
  }

  /** Differs after each change of what the value may read. */
  version(value: Deferred): readonly unknown[] {
    return this.readBy(value).map(({ changes }) => changes)
  }

  #packagesOf(source: Import): readonly Changeable[] {
    const known = this.#read.get(source)
    if (known?.of === this.#packages.size) return known.all
    const name = packageName(source.specifier)
    const all = [...this.#packages].flatMap(([one, state]) =>
      one === name || this.#dependsOn(source, one) ? [state] : [],
    )
    this.#read.set(source, { of: this.#packages.size, all })
    return all
  }

  #note(owner: Changeable, by: Deferred, isEffect: boolean): void {
    const changes = withCall(owner.changes, by, isEffect)
    if (changes !== owner.changes) this.#journal().setChanges(owner, changes)
  }
}

/** The object that a value is a part of. */
function wholeOf(value: Deferred): Deferred | undefined {
  const isResult = value.source.op === 'code' && value.source.code !== memberCode
  return isResult ? undefined : ownerOf(value)
}

function packageName(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
