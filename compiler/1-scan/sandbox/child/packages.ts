/** Packages that evaluated code imports. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Definition } from '../protocol.ts'
import { describe } from './describe-error.ts'
import { settled, NeverSettles } from './waiting.ts'

export type Import = Extract<Definition, { type: 'import' }>

type Namespace = Record<string, unknown>

const modules = new Map<string, Namespace | { readonly failure: Error }>()

function keyOf({ specifier, importer, required }: Import): string {
  return [specifier, importer, required].join('\n')
}

/** Returns whether loading a package has ended, with success or not. */
export function isLoaded(definition: Import): boolean {
  return modules.has(keyOf(definition))
}

/** Returns an export of a loaded package. Throws the reason if the package couldn't be loaded. */
export function exportOf(definition: Import): unknown {
  const namespace = modules.get(keyOf(definition)) as Namespace
  const { failure } = namespace
  if (failure instanceof LoadError) throw failure
  const { name, required } = definition
  if (name === '*') return namespace
  if (required) {
    return name === 'default' && !isTranspiled(namespace) ? namespace : namespace[name]
  }
  const fallback = namespace['default'] as Namespace | undefined
  return name in namespace ? namespace[name] : fallback?.[name]
}

function isTranspiled(namespace: Namespace): boolean {
  return namespace['__esModule'] === true
}

export class LoadError extends Error {}

export async function load(definition: Import): Promise<void> {
  const { specifier, importer, required, file } = definition
  let namespace: Namespace | { readonly failure: Error }
  try {
    if (required) {
      namespace = createRequire(importer)(specifier) as Namespace
    } else {
      const target =
        specifier.startsWith('node:') || file === undefined ? specifier : pathToFileURL(file).href
      namespace = (await settled(import(target))) as Namespace
    }
  } catch (error) {
    const reason =
      error instanceof NeverSettles ? `its top-level await ${error.message}` : describe(error)
    const why = `the package "${specifier}" cannot be loaded: ${reason}`
    namespace = { failure: new LoadError(why) }
  }
  modules.set(keyOf(definition), namespace)
}
