/** The packages that the scan knows by name: their imports are values of the scan, and their source isn't followed. */
import { nodeModules } from '../builtins/node-modules.ts'
import { factory } from '../instance/factory.ts'
import { pluginWrapper } from '../instance/plugin.ts'
import { unknown, type Value } from '../values/index.ts'
import type { Machine } from '../values/machine.ts'
import { autoload } from './autoload.ts'
import { restartable } from './restartable.ts'

/** Packages whose values depend on the environment, or on files of the machine. */
const environmentPackages = new Set(
  'ci-info config dotenv dotenv-flow dotenv-safe is-ci nconf std-env'.split(' '),
)

/** Returns the function that gives the value of a package or of a module of Node. */
export function knownPackages(m: Machine): (specifier: string) => Value | undefined {
  const builtins = nodeModules(m)
  const values = new Map<string, Value>()
  return (specifier) => {
    const name = specifier.replace(/^node:/, '')
    const cached = values.get(name)
    if (cached !== undefined) return cached
    const value =
      create(m, specifier) ?? (Object.hasOwn(builtins, name) ? builtins[name]?.() : undefined)
    if (value !== undefined) values.set(name, value)
    return value
  }
}

function create(m: Machine, specifier: string): Value | undefined {
  switch (specifier) {
    case 'fastify':
      return factory(m)
    case 'framework':
      return factory(m, 'framework')
    case 'framework/5':
      return factory(m, 'fastify@5')
    case 'fastify-plugin':
      return pluginWrapper(m, specifier)
    case 'framework/plugin':
      return pluginWrapper(m, undefined)
    case '@fastify/autoload':
    case 'fastify-autoload':
      return autoload(m)
    case '@fastify/restartable':
      return restartable(m)
    default:
      return environmentPackages.has(specifier)
        ? unknown(`"${specifier}" reads the environment`, m.entryFile)
        : undefined
  }
}
