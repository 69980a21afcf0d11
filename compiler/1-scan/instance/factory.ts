/** The exports of `framework` and `fastify`: the factory, under each of its names, and `errorCodes`. */
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Machine } from '../values/machine.ts'
import { addMembers, native, object, undefinedValue, unknown, type Value } from '../values/index.ts'

/** @param line of its instances; undefined for `fastify`, which may be any line */
export function factory(m: Machine, line?: LineName): Value {
  const create = native('framework', ({ args, at }) => {
    const [options = undefinedValue] = args
    return m.boot.createRoot(options, at, line)
  })
  const errorCodes = object(undefined, {
    computeMember: (_, at) => unknown('it is an error class of the framework', at),
  })
  return addMembers(create, { default: create, fastify: create, framework: create, errorCodes })
}
