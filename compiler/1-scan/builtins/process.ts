import { describeEnvironment, environmentOf } from '../values/environment.ts'
import type { Machine } from '../values/machine.ts'
import { Exit } from '../values/thrown.ts'
import { native, object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { ObjectValue, Value } from '../values/index.ts'

/** `process`: its environment belongs to the machine that the application will run on. */
export function processGlobal(m: Machine): Value {
  const end = native('process.exit', ({ at }) => {
    throw new Exit(primitive('the process ends here', at), at)
  })
  const inert = native('process.on', ({ thisValue }) => thisValue)
  return host('process', {
    env: environment(),
    exit: end,
    // An application is started in the folder of its package.json.
    cwd: native('process.cwd', ({ at }) => primitive(m.project.root, at)),
    on: inert,
    once: inert,
    emitWarning: inert,
    argv: unknown('it depends on the command line', m.anywhere),
    nextTick: native('process.nextTick', ({ args, at }) =>
      m.outside.callUnknown(unknown('it runs later', at), args, at),
    ),
  })
}

/** An object of the machine that the application runs on: of all but the given members nothing is known. */
export function host(name: string, members: Readonly<Record<string, Value>>): ObjectValue {
  const result: ObjectValue = object(undefined, {
    exotic: (key, at) => {
      if (key === 'default') return result
      return typeof key === 'symbol'
        ? undefinedValue
        : unknown(`\`${name}.${key}\` is known only where the application runs`, at)
    },
  })
  for (const [key, value] of Object.entries(members)) {
    result.members.set(key, { value, at: undefined })
  }
  return result
}

/** Each variable is unknown by its own name. */
function environment(): Value {
  return object(undefined, {
    exotic: (name, at) => {
      const variable = String(name)
      return { ...unknown(describeEnvironment(environmentOf([variable])), at), variable }
    },
  })
}
