import { createRequire } from 'node:module'

/** The packages whose output the emitter relies on, to the letter. */
const COMPILERS = ['ajv', 'ajv-formats', 'fast-json-stringify'] as const

/** The installed versions, by package name. */
export function compilerVersions(): Record<string, string> {
  const require = createRequire(import.meta.url)
  return Object.fromEntries(
    COMPILERS.map((name) => [
      name,
      (require(`${name}/package.json`) as { version: string }).version,
    ]),
  )
}
