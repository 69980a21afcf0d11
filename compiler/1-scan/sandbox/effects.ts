import type { Deferred } from '../values/index.ts'
import { memberCode } from './codes.ts'

/**
 * Calls that are made for what they do. One may change the value that it is made on, what that value
 * is a part of, and whatever the package keeps to itself.
 */
export class Effects {
  readonly #byPackage = new Map<string, Deferred[]>()

  note(target: Deferred, effect: Deferred): void {
    for (let one: Deferred | undefined = target; one !== undefined; one = ownerOf(one)) {
      this.noteOn(one, effect)
    }
    const name = packageOf(target)
    if (name === undefined) return
    const effects = this.#ofPackage(name)
    // One call may be noted for several of its operands.
    if (effects.at(-1) !== effect) effects.push(effect)
  }

  /** The same for the value alone, not for what it is a part of. */
  noteOn(target: Deferred, effect: Deferred): void {
    target.effects.push(effect)
  }

  /** What has to run before a value is used: a list that grows, and is always the same one. */
  of(value: Deferred): readonly Deferred[] {
    if (value.source.op !== 'import') return value.effects
    return this.#ofPackage(packageName(value.source.specifier))
  }

  #ofPackage(name: string): Deferred[] {
    let effects = this.#byPackage.get(name)
    if (effects === undefined) this.#byPackage.set(name, (effects = []))
    return effects
  }

  /** Grows with each effect on the value or its package. */
  version(value: Deferred): number {
    const name = packageOf(value)
    const shared = name === undefined ? undefined : this.#byPackage.get(name)
    return value.effects.length + (shared?.length ?? 0)
  }
}

/** The object that a value is a part of. */
function ownerOf(value: Deferred): Deferred | undefined {
  if (value.source.op === 'await') return value.source.operand
  if (value.source.op !== 'code' || value.source.code !== memberCode) return undefined
  const [owner] = value.source.operands
  return owner?.kind === 'deferred' ? owner : undefined
}

/** The package that a value comes from in the end. */
function packageOf(value: Deferred): string | undefined {
  const { source } = value
  if (source.op === 'import') return packageName(source.specifier)
  const origin = source.op === 'await' ? source.operand : source.operands[0]
  return origin?.kind === 'deferred' ? packageOf(origin) : undefined
}

function packageName(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
