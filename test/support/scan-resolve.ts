/** Resolves the imports of a booted sample, as a TypeScript loader would. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { packageJsonIn } from '../../compiler/util/package-json.ts'
import { peers } from './oracle-hooks.ts'

export function peerOf(specifier: string): string {
  return peers[specifier] ?? specifier
}

const endings = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.js',
]

/** Returns the existing files that a relative or mapped specifier may mean, and none for packages. */
export function candidatesOf(specifier: string, importer: string): string[] {
  const targets = specifier.startsWith('.')
    ? [resolve(dirname(importer), specifier)]
    : mapped(specifier, importer)
  return targets.flatMap((target) => {
    const extension = extname(target)
    const asSource = target.replace(/\.([cm]?)js$/, '.$1ts')
    const names = [
      target,
      ...(extension === '' ? [] : [asSource]),
      ...endings.map((ending) => target + ending),
    ]
    return names.filter((name) => existsSync(name) && statSync(name).isFile())
  })
}

/** Maps a specifier by `paths` and `baseUrl` of the sample's tsconfig.json. */
function mapped(specifier: string, importer: string): string[] {
  const folder = folderWith('tsconfig.json', importer)
  if (folder === undefined) return []
  const text = readFileSync(join(folder, 'tsconfig.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
  const { compilerOptions } = JSON.parse(text) as {
    compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> }
  }
  const base = resolve(folder, compilerOptions?.baseUrl ?? '.')
  const found: string[] = []
  for (const [pattern, targets] of Object.entries(compilerOptions?.paths ?? {})) {
    const [head = '', tail] = pattern.split('*')
    const isMatch =
      tail === undefined
        ? specifier === pattern
        : specifier.startsWith(head) && specifier.endsWith(tail)
    if (!isMatch) continue
    const star =
      tail === undefined ? '' : specifier.slice(head.length, specifier.length - tail.length)
    found.push(...targets.map((target) => resolve(base, target.replace('*', star))))
  }
  if (compilerOptions?.baseUrl !== undefined) found.push(resolve(base, specifier))
  return found
}

export function isCommonJs(file: string): boolean {
  if (/\.c[jt]s$/.test(file)) return true
  if (/\.m[jt]s$/.test(file)) return false
  const folder = folderWith('package.json', file)
  return folder === undefined || packageJsonIn(folder).type !== 'module'
}

function folderWith(name: string, file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder
    if (folder === dirname(folder)) return undefined
  }
}
