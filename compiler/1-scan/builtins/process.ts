/** The global `process`, and objects that are only partly known. */
import { describeEnvironment, environmentOf } from '../../sandbox/environment.ts'
import type { Machine } from '../values/machine.ts'
import { Exit } from '../values/thrown.ts'
import { addMembers, native, object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { ObjectValue, Value } from '../values/index.ts'
import { callback } from './jobs.ts'
import type { Node } from '../../util/source/project.ts'

/** `process`: its environment belongs to the machine that the application will run on. */
export function processGlobal(m: Machine): Value {
  // Event handlers run too late to declare routes, and a warning declares none.
  const ignored = native('process.on', ({ thisValue }) => thisValue)
  const result = host('process', {
    env: object(undefined, {
      computeMember: (name, at) => {
        const variable = String(name)
        return { ...unknown(describeEnvironment(environmentOf([variable])), at), variable }
      },
    }),
    exit: native('process.exit', ({ at }) => {
      throw new Exit(primitive('the process ends here', at), at)
    }),
    // Most applications are started in the folder of their package.json.
    cwd: native('process.cwd', ({ at }) => primitive(m.project.root, at)),
    on: ignored,
    once: ignored,
    emitWarning: ignored,
    nextTick: native('process.nextTick', ({ args, at }) => {
      m.jobs.addTick(callback(m, args, at))
      return undefinedValue
    }),
  })
  const argv = native('process.argv', ({ at }) => commandLine(m, at))
  result.members.set('argv', { value: undefinedValue, at: undefined, getter: argv })
  return result
}

/**
 * `process.argv`. `argv[1]` is the entry, so that other modules that compare it with their own name find that they aren't the main module.
 * The entry itself may be the main module or imported by one.
 */
function commandLine(m: Machine, at: Node): Value {
  const argument = unknown('it depends on the command line', at)
  if (at.getSourceFile() === m.entryFile.getSourceFile()) return argument
  const main = primitive(m.entryFile.getSourceFile().fileName, at)
  return object(undefined, { members: new Map([['1', { value: main, at }]]), base: argument })
}

/** An object of the machine that the application runs on. Only the given members are known. */
export function host(name: string, members: Readonly<Record<string, Value>>): ObjectValue {
  return partlyKnown(members, (key, at) =>
    typeof key === 'symbol'
      ? undefinedValue
      : unknown(`\`${name}.${key}\` is known only where the application runs`, at),
  )
}

/** Creates a module or global object. Members that aren't given are made when they are read; `default` is the object itself. */
export function partlyKnown(
  members: Readonly<Record<string, Value>>,
  otherwise: (key: string | symbol, at: Node) => Value,
): ObjectValue {
  const result: ObjectValue = object(undefined, {
    computeMember: (key, at) => (key === 'default' ? result : otherwise(key, at)),
  })
  return addMembers(result, members)
}
