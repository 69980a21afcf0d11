/** Finds what packages change of JavaScript's globals, as polyfills do. */
import { patchesKey } from '../operations.ts'

/** Values that print or describe this process. */
const skipped = new Set(['console', 'global', 'globalThis', 'process'])

/** Lets evaluated code list the paths of changed or added members, such as `String.prototype.trim`. Call it before code is evaluated. */
export function watchPatches(): void {
  const pristine = new Map(membersOf(globalThis, '', 2))
  const changed = (): string =>
    membersOf(globalThis, '', 2)
      .filter(([path, value]) => pristine.get(path) !== value)
      .map(([path]) => path)
      .join('\n')
  Object.defineProperty(globalThis, Symbol.for(patchesKey), { value: changed })
}

/** Lists the members of an object and of those inside it, without calling getters. */
function membersOf(owner: object, path: string, depth: number): [path: string, value: unknown][] {
  return Object.getOwnPropertyNames(owner).flatMap((name): [string, unknown][] => {
    if (skipped.has(name) || name === 'constructor') return []
    const { value, get } = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    const inside = depth > 0 && isGlobal(value, name, path) ? (value as object) : {}
    return [[path + name, get ?? value], ...membersOf(inside, `${path}${name}.`, depth - 1)]
  })
}

/** Returns whether it is a constructor, its prototype, or a collection of functions such as `Reflect`. */
function isGlobal(value: unknown, name: string, path: string): boolean {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject && (path === '' ? /^[A-Z]/.test(name) : name === 'prototype')
}
