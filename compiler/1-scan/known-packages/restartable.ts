/** `@fastify/restartable`: calls the application with a factory of instances that can be replaced. */
import type { Machine } from '../values/machine.ts'
import {
  addMembers,
  native,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
  type Value,
} from '../values/index.ts'
import { factory } from '../instance/factory.ts'

/** The decorators of each instance, besides `restarted`. */
const methods = ['restart', 'addPreRestartHook', 'addOnRestartHook']
const getters = ['persistentRef', 'closingRestartable']

export function restartable(m: Machine): Value {
  const start = native('restartable', ({ args, at }) => {
    const [create = undefinedValue, options = undefinedValue, createInstance = factory(m)] = args
    const make = native('fastify', (call) => {
      const instance = m.call(createInstance, undefinedValue, call.args, call.at)
      const decorate = (name: string, value: Value): void => {
        const method = m.get(instance, primitive('decorate', at), at)
        m.call(method, instance, [primitive(name, at), value], at)
      }
      const inert = native('restartable', () => undefinedValue)
      for (const name of methods) decorate(name, inert)
      for (const name of getters) {
        decorate(name, unknown(`\`${name}\` is known only where the application runs`, at))
      }
      // The scan follows the first start only.
      const getter = native('restarted', () => primitive(false, at))
      decorate('restarted', objectOf({ getter }, at))
      return instance
    })
    return m.call(create, undefinedValue, [make, options], at)
  })
  return addMembers(start, { default: start, restartable: start })
}
