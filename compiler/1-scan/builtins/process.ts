import type { Machine } from '../interpreter/machine.ts'
import { Thrown } from '../interpreter/thrown.ts'
import {
  native,
  nativeObject,
  object,
  primitive,
  undefinedValue,
  unknown,
} from '../interpreter/values.ts'
import type { Value } from '../interpreter/values.ts'

/** `process`: its environment belongs to the machine that the application will run on. */
export function processGlobal(m: Machine): Value {
  const end = native('process.exit', ({ at }) => {
    throw new Thrown(primitive('the process ends here', at), at)
  })
  const inert = native('process.on', ({ thisValue }) => thisValue)
  return nativeObject({
    env: environment(),
    exit: end,
    cwd: native('process.cwd', ({ at }) =>
      unknown('it depends on the folder that the application is started in', at),
    ),
    on: inert,
    once: inert,
    emitWarning: inert,
    argv: unknown('it depends on the command line', m.anywhere),
    platform: unknown('it depends on the machine', m.anywhere),
    nextTick: native('process.nextTick', () => undefinedValue),
  })
}

/** Each variable is unknown by its own name. */
function environment(): Value {
  return object(undefined, {
    exotic: (name, at) => unknown(`it depends on the environment variable \`${String(name)}\``, at),
  })
}
