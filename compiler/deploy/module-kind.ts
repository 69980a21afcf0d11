import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRootOf } from '../util/paths.ts'

export type ModuleKind = 'commonjs' | 'module'

const kinds = new Map<string, ModuleKind>()

export function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

export function isPackageFile(file: string): boolean {
  return file.includes(`${path.sep}node_modules${path.sep}`)
}

/** Returns how Node treats a file: by its extension, by `type` in package.json, or else by its syntax. */
export function moduleKindOf(file: string): ModuleKind {
  let kind = kinds.get(file)
  if (kind === undefined) kinds.set(file, (kind = detect(file)))
  return kind
}

function detect(file: string): ModuleKind {
  if (/\.(?:c[jt]s|json)$/.test(file)) return 'commonjs'
  if (/\.m[jt]sx?$/.test(file)) return 'module'
  const root = packageRootOf(file)
  const { type } = (
    root === undefined ? {} : JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  ) as { type?: string }
  if (type === 'module' || type === 'commonjs') return type
  const text = readFileSync(file, 'utf8')
  // Without `type`, TypeScript compiles modules to CommonJS, which has no top-level `await`.
  const isModule = isTypeScript(file) ? hasTopLevelAwait(text) : hasModuleSyntax(text)
  return isModule ? 'module' : 'commonjs'
}

function hasTopLevelAwait(text: string): boolean {
  return /^(?:(?:export\s+)?(?:const|let|var)\s[^\n]*=\s*)?await\s/m.test(text)
}

function hasModuleSyntax(text: string): boolean {
  return /^\s*(?:import\s*(?:[\w${*"']|$)|export\s+(?:default|const|let|var|class|function|async|\{|\*)|export\s*[{*])/m.test(
    text,
  )
}
