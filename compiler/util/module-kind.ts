import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { packageJsonIn } from './package-json.ts'
import { packageRootOf } from './paths.ts'

export type ModuleKind = 'commonjs' | 'module'

const kinds = new Map<string, ModuleKind>()

/** Checks for modules of Node, perhaps of a newer release than this one. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || isBuiltin(specifier)
}

export function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

/**
 * Environment of processes that load TypeScript in any way. `@fastify/autoload` refuses it under runners that it
 * doesn't recognize, such as `node --import tsx`.
 */
export const typescriptEnvironment = { FASTIFY_AUTOLOAD_TYPESCRIPT: '1' }

/** Returns the module system of a file: by its extension, by `type` in package.json, or else by its syntax. */
export function moduleKindOf(file: string): ModuleKind {
  let kind = kinds.get(file)
  if (kind === undefined) kinds.set(file, (kind = detect(file)))
  return kind
}

function detect(file: string): ModuleKind {
  if (/\.(?:c[jt]sx?|json)$/.test(file)) return 'commonjs'
  if (/\.m[jt]sx?$/.test(file)) return 'module'
  const root = packageRootOf(file)
  const { type } = root === undefined ? {} : packageJsonIn(root)
  const text = readFileSync(file, 'utf8')
  // TypeScript compiles modules to CommonJS by default, which has no top-level `await`.
  if (isTypeScript(file)) return type === 'module' || hasTopLevelAwait(text) ? 'module' : 'commonjs'
  if (type === 'module' || type === 'commonjs') return type
  return hasModuleSyntax(text) ? 'module' : 'commonjs'
}

function hasTopLevelAwait(text: string): boolean {
  return /^(?:(?:export\s+)?(?:const|let|var)\s[^\n]*=\s*)?await\s/m.test(text)
}

function hasModuleSyntax(text: string): boolean {
  return /^\s*(?:import\b\s*(?:[\w${*"']|$)|export\s+(?:default|const|let|var|class|function|async|\{|\*)|export\s*[{*])/m.test(
    text,
  )
}
