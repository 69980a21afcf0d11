/** Reads schemas from a manifest, as the application declares them. */
import type { Manifest, ManifestFactory, ManifestLibrary } from '../manifest.ts'
import { isWithin, rootOf } from '../../report/context-path.ts'

export type Route = Manifest['routes'][number]

/** The `schema` option of a route as written, without unknown parts. */
export function schemaOf(
  { schemas }: Manifest,
  { schema }: Route,
): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined
  const resolve = (names: Readonly<Record<string, string>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, schemas[name]]))
  const response = resolve(schema.responses)
  return {
    ...schema.about,
    ...resolve(schema.parts),
    ...(Object.keys(response).length > 0 && { response }),
  }
}

/** The factory options of the instance that a route belongs to. */
export function factoryOf({ contexts, factory }: Manifest, { context }: Route): ManifestFactory {
  const root = rootOf(context)
  return contexts.find((one) => one.context === root)?.factory ?? factory
}

/** The shared schemas that a context sees, by `$id`. */
export function sharedSchemas(
  { contexts, schemas }: Manifest,
  context: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    contexts
      .filter((one) => isWithin(context, one.context))
      .flatMap(({ shared }) => Object.entries(shared))
      .map(([id, { schema }]) => [id, schemas[schema]]),
  )
}

export function digestsOf({ validators, serializers }: Route): Readonly<Record<string, string>> {
  return { ...validators, ...serializers }
}

/** The library that reads a part at run time, by a type that the manifest has the JSON schema of. */
export function libraryOf(
  { external, libraries }: Pick<Route, 'external' | 'libraries'>,
  part: string,
): ManifestLibrary | undefined {
  return external.includes(part) ? libraries?.[keyOfPart(part)] : undefined
}

/** The part without its media type: `2xx` of `2xx text/html`. */
export function keyOfPart(part: string): string {
  return part.replace(/ .*/, '')
}

/** Throws for a schema that no build accepts: a manifest doesn't contain any. */
export function refuseSchema(rule: string, ...subjects: string[]): never {
  throw new TypeError(
    `The manifest holds a schema that no build accepts: ${[rule, ...subjects].join(' ')}`,
  )
}
