/** Calls made for their side effects: on the value, on the object that it is a part of, and on the state of the package. */
import type { Deferred } from '../values/index.ts'
import { type Import, importOf, ownerOf } from './operations.ts'
import { memberCode } from '../../sandbox/protocol.ts'

export class Effects {
  readonly #byPackage = new Map<string, Deferred[]>()
  readonly #dependsOn: DependsOn

  constructor(dependsOn: DependsOn) {
    this.#dependsOn = dependsOn
  }

  add(target: Deferred, effect: Deferred): void {
    for (let one: Deferred | undefined = target; one !== undefined; one = wholeOf(one)) {
      this.addTo(one, effect)
    }
    const name = packageOf(target)
    if (name === undefined) return
    const effects = this.#byPackage.get(name) ?? []
    this.#byPackage.set(name, effects)
    // One call may be added for several of its operands.
    if (effects.at(-1) !== effect) effects.push(effect)
  }

  /** Adds an effect on the value alone, not on the object that it is a part of. */
  addTo(target: Deferred, effect: Deferred): void {
    target.effects.push(effect)
  }

  /** The effects that must run before a value is used. All imports of a package have the same lists. */
  of(value: Deferred): readonly (readonly Deferred[])[] {
    return value.source.op === 'import' ? this.#listsOf(value.source) : [value.effects]
  }

  /** Grows with each effect on the value or its package. */
  version(value: Deferred): number {
    const source = importOf(value)
    const all = source === undefined ? [] : this.#listsOf(source)
    return all.reduce((count, { length }) => count + length, value.effects.length)
  }

  /** The effects on a package and on those that it depends on: it may read what they keep. */
  #listsOf(source: Import): readonly (readonly Deferred[])[] {
    const name = packageName(source.specifier)
    return [...this.#byPackage].flatMap(([one, effects]) =>
      one === name || this.#dependsOn(source, one) ? [effects] : [],
    )
  }
}

/** Returns whether the package of an import depends on another one. */
type DependsOn = (source: Import, name: string) => boolean

/** The object that a value is a part of. */
function wholeOf(value: Deferred): Deferred | undefined {
  const isResult = value.source.op === 'code' && value.source.code !== memberCode
  return isResult ? undefined : ownerOf(value)
}

function packageOf(value: Deferred): string | undefined {
  const source = importOf(value)
  return source && packageName(source.specifier)
}

function packageName(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
