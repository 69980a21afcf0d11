import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRootOf } from '../util/paths.ts'

/** How Node reads a file. */
export type ModuleKind = 'commonjs' | 'module'

const kinds = new Map<string, ModuleKind>()

export function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

export function isPackageFile(file: string): boolean {
  return file.includes(`${path.sep}node_modules${path.sep}`)
}

/** By its extension, or else by its package; a text that only an ES module may hold decides where nothing is said. */
export function moduleKindOf(file: string): ModuleKind {
  let kind = kinds.get(file)
  if (kind === undefined) kinds.set(file, (kind = find(file)))
  return kind
}

function find(file: string): ModuleKind {
  if (/\.(?:c[jt]s|json)$/.test(file)) return 'commonjs'
  if (/\.m[jt]sx?$/.test(file)) return 'module'
  const root = packageRootOf(file)
  const { type } = (
    root === undefined ? {} : JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  ) as { type?: string }
  if (type === 'module') return 'module'
  const text = readFileSync(file, 'utf8')
  if (type === 'commonjs') return 'commonjs'
  const isModule = isTypeScript(file) ? awaits(text) : hasModuleSyntax(text)
  return isModule ? 'module' : 'commonjs'
}

/** TypeScript writes CommonJS as ES modules, but for what CommonJS cannot do. */
function awaits(text: string): boolean {
  return /^(?:(?:export\s+)?(?:const|let|var)\s[^\n]*=\s*)?await\s/m.test(text)
}

function hasModuleSyntax(text: string): boolean {
  return /^\s*(?:import\s*(?:[\w${*"']|$)|export\s+(?:default|const|let|var|class|function|async|\{|\*)|export\s*[{*])/m.test(
    text,
  )
}
