/** The options of the factory, as source text. */
import { literal } from '../../../compiler/util/literal.ts'
import { exported, profiles, type Profile } from '../profiles.ts'
import type { Plan } from './plan.ts'

/** An expression, and the imports that it needs. */
export interface OptionsText {
  readonly imports: readonly string[]
  readonly text: string
}

/** Returns whether Fastify has the options of a profile. */
export function isOfFastify(place: number, kind: Profile['kind']): boolean {
  const profile = profiles[place]
  return profile?.kind === kind && !('mode' in profile.options)
}

export function factoryOptions({ validators, serializers, options }: Plan): object {
  const { customOptions, plugins } = (profiles[validators] as Profile).options as {
    readonly customOptions: object
    readonly plugins: readonly unknown[]
  }
  return {
    ...options,
    requestIdHeader: 'request-id',
    ajv: {
      customOptions: { logger: false, ...customOptions },
      ...(plugins.length > 0 && { plugins }),
    },
    serializerOpts: (profiles[serializers] as Profile).options,
  }
}

export function optionsText(plan: Plan): OptionsText {
  const imports = new Set<string>()
  const textOf = (value: unknown): string => {
    const home = exported.get(value)
    if (home !== undefined) {
      const [specifier, name] = home
      const local = `the_${specifier.replace(/^.*\/|\W/g, '')}_${name}`
      imports.add(`import { ${name} as ${local} } from ${literal(specifier)}`)
      return local
    }
    if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
    if (typeof value !== 'object' || value === null) return literal(value)
    const fields = Object.entries(value).map(([key, field]) => `${literal(key)}: ${textOf(field)}`)
    return `{ ${fields.join(', ')} }`
  }
  return { text: textOf(factoryOptions(plan)), imports: [...imports] }
}
