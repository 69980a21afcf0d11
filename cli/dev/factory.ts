import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The package whose factory creates the instance for an exported plugin. */
export type FactoryPackage = 'framework' | 'framework/5' | 'fastify'

type Factory = (options?: unknown) => unknown

/** Loads a factory by name, to get the same copy as the application and the artifact. */
export async function loadFactory(name: FactoryPackage, entry: string): Promise<Factory> {
  const url =
    name === 'fastify'
      ? pathToFileURL(createRequire(entry).resolve(name)).href
      : import.meta.resolve(name)
  const { default: create } = (await import(url)) as { readonly default: Factory }
  return create
}
