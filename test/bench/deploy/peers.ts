/** Programs on other frameworks, as their users deploy them. */
import { build } from 'esbuild'
import { rmSync, writeFileSync } from 'node:fs'
import type { SampleRequest } from '../sample-request.ts'
import { fillCache } from '../startup.ts'

/** Joins a program and its packages to one CommonJS file, as small as can be. */
export async function bundlePeer(entry: string): Promise<string> {
  const outfile = entry.replace(/\.mjs$/, '.bundle.cjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  })
  return outfile
}

/**
 * Has Node keep what V8 compiles of a program in a cache beside it, as its users set that up: an entry that switches the cache
 * on and loads the program. A start with one request fills it.
 *
 * @returns the entry
 */
export async function cachePeer(
  program: string,
  node: string,
  request: SampleRequest,
): Promise<string> {
  const entry = program.replace(/\.cjs$/, '.cached.cjs')
  const cache = `${program}.cache`
  rmSync(cache, { recursive: true, force: true })
  const load = `process.getBuiltinModule('node:module').enableCompileCache(${JSON.stringify(cache)})
require(${JSON.stringify(program)})
`
  writeFileSync(entry, load)
  await fillCache([entry], node, request)
  return entry
}
