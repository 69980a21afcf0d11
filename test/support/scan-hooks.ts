/** Module hooks that run a sample from its TypeScript source, on the real Fastify. */
import { existsSync, readFileSync } from 'node:fs'
import type { LoadHook, ResolveHook } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { candidatesOf, isCommonJs, peerOf } from './scan-resolve.ts'

/** The factory as the boot program has wrapped it. */
const factory = `data:text/javascript,${encodeURIComponent(
  [
    'const fastify = globalThis[Symbol.for("scan.fastify")]',
    'export default fastify',
    'export const { errorCodes } = fastify',
    'export { fastify, fastify as framework }',
  ].join('\n'),
)}`

export const resolve: ResolveHook = (specifier, context, next) => {
  const { parentURL } = context
  if (peerOf(specifier) === 'fastify') return { url: factory, shortCircuit: true }
  if (parentURL?.startsWith('file:')) {
    const file = candidatesOf(specifier, fileURLToPath(parentURL)).find((one) => existsSync(one))
    if (file !== undefined) return { url: pathToFileURL(file).href, shortCircuit: true }
  }
  return next(peerOf(specifier), context)
}

export const load: LoadHook = (url, context, next) => {
  if (!url.startsWith('file:') || !/\.[cm]?tsx?$/.test(url)) return next(url, context)
  const file = fileURLToPath(url)
  // CommonJS is left to the loader of `require`, which the boot program extends.
  if (isCommonJs(file)) return { format: 'commonjs', source: undefined, shortCircuit: true }
  return { format: 'module', source: transpile(file, 'esm'), shortCircuit: true }
}

export function transpile(file: string, format: 'cjs' | 'esm'): string {
  const tsconfig = join(dirname(file), 'tsconfig.json')
  return transformSync(readFileSync(file, 'utf8'), {
    format,
    loader: extname(file) === '.tsx' ? 'tsx' : 'ts',
    sourcefile: file,
    sourcemap: 'inline',
    target: 'node20.19',
    // Classes with decorators get other names otherwise, and applications read them.
    keepNames: true,
    tsconfigRaw: existsSync(tsconfig) ? readFileSync(tsconfig, 'utf8') : '{}',
  }).code
}
