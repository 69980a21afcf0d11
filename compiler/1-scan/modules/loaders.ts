/** Creates `require` and `import.meta` of a file. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Node } from '../../util/source/project.ts'
import {
  addMembers,
  native,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import { asMain } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'

export function createRequire(
  m: Machine,
  file: string,
  main: Value,
  load: (specifier: string, at: Node) => Value,
): Value {
  const require = native('require', ({ args: [given = undefinedValue], at }) => {
    const specifier = m.known(given)
    if (specifier.kind === 'unknown') return specifier
    if (specifier.kind !== 'primitive') return unknown('which module is required is not known', at)
    return load(String(specifier.value), at)
  })
  const resolve = resolver(m, 'require.resolve', file, (found) => found)
  return addMembers(require, { resolve, main })
}

/** @param isEntry whether the file may be the main module */
export function createImportMeta(m: Machine, file: string, isEntry: boolean, at: Node): Value {
  const toUrl = (one: string): string => pathToFileURL(one).href
  return objectOf(
    {
      url: primitive(toUrl(file), at),
      filename: primitive(file, at),
      dirname: primitive(path.dirname(file), at),
      resolve: resolver(m, 'import.meta.resolve', file, toUrl),
      main: isEntry ? asMain(m, primitive(true, at), primitive(false, at)) : primitive(false, at),
    },
    at,
  )
}

function resolver(
  m: Machine,
  name: string,
  file: string,
  toResult: (file: string) => string,
): NativeValue {
  return native(name, ({ args: [given = undefinedValue], at }) => {
    const specifier = m.known(given)
    if (specifier.kind !== 'primitive') return unknown('the module name is not known', at)
    const found = m.modules.resolve(String(specifier.value), file)
    return found === undefined
      ? unknown('the module cannot be found', at)
      : primitive(toResult(found), at)
  })
}
