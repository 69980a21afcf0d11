/** Calls made for their side effects: on the value, on the object that it is a part of, and on the state of the package. */
import type { Deferred } from '../values/index.ts'
import { importOf, memberCode, ownerOf } from './operations.ts'

export class Effects {
  readonly #byPackage = new Map<string, Deferred[]>()

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

  /** The effects that must run before a value is used. */
  of(value: Deferred): readonly Deferred[] {
    if (value.source.op !== 'import') return value.effects
    return this.#byPackage.get(packageName(value.source.specifier)) ?? []
  }

  /** Grows with each effect on the value or its package. */
  version(value: Deferred): number {
    const name = packageOf(value)
    const shared = name === undefined ? undefined : this.#byPackage.get(name)
    return value.effects.length + (shared?.length ?? 0)
  }
}

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
