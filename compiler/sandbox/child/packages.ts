/** Packages that evaluated code imports. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Definition } from '../protocol.ts'
import { describe } from './describe-error.ts'
import { settled, NeverSettles } from './waiting.ts'

type Import = Extract<Definition, { type: 'import' }>

/** In an object, because a module may export a function `then`. */
interface Loaded {
  readonly namespace: Readonly<Record<string, unknown>>
}

export function keyOf({ specifier, importer, required }: Import): string {
  return [specifier, importer, required].join('\n')
}

export function exportOf({ name, required }: Import, { namespace }: Loaded): unknown {
  if (name === '*') return namespace
  if (required) {
    const isTranspiled = namespace['__esModule'] === true
    return name === 'default' && !isTranspiled ? namespace : namespace[name]
  }
  // Node detects only some of the names that a CommonJS module exports.
  const fallback = namespace['default'] as Loaded['namespace'] | undefined
  return name in namespace ? namespace[name] : fallback?.[name]
}

export class LoadError extends Error {}

/** @throws LoadError */
export async function load({ specifier, importer, required, file }: Import): Promise<Loaded> {
  try {
    if (required) return { namespace: createRequire(importer)(specifier) as Loaded['namespace'] }
    const isFile = !specifier.startsWith('node:') && file !== undefined
    const target = isFile ? pathToFileURL(file).href : specifier
    return { namespace: (await settled(import(target))) as Loaded['namespace'] }
  } catch (error) {
    const reason =
      error instanceof NeverSettles ? `its top-level await ${error.message}` : describe(error)
    throw new LoadError(`the package "${specifier}" cannot be loaded: ${reason}`)
  }
}
