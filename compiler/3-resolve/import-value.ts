/** Imports a value of the application into this process. Throws what the import throws, or an error if the export is missing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ImportRef } from '../model/index.ts'
import { shareAjv } from './share-ajv.ts'

export async function importValue({
  specifier,
  importer,
  name,
  code,
}: ImportRef): Promise<unknown> {
  const module =
    code === undefined
      ? await importFile(resolveFrom(importer, specifier))
      : await importCode(code, importer, 'js')
  if (name === '*') return module
  if (name in module) return module[name]
  throw new Error(`"${specifier}" has no export "${name}"`)
}

type Module = Record<string, unknown>

function resolveFrom(importer: string, specifier: string): string {
  if (specifier.startsWith('node:') || isAbsolute(specifier)) return specifier
  return createRequire(importer).resolve(specifier)
}

async function importFile(file: string): Promise<Module> {
  if (isAbsolute(file)) shareAjv(file)
  return (await import(isAbsolute(file) ? pathToFileURL(file).href : file)) as Module
}

/**
 * Runs code of the application as a module. Its imports are resolved from `importer`. TypeScript includes the files that it imports by
 * relative paths, because Node 20 can't run them.
 */
export async function importCode(
  code: string,
  importer: string,
  loader: 'js' | 'ts',
): Promise<Module> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: code, loader, resolveDir: dirname(importer) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // A plugin is recognized as ajv-formats by the name of its function.
    keepNames: true,
    logLevel: 'silent',
    plugins: [
      {
        name: 'framework-import-value',
        setup({ onResolve }) {
          onResolve({ filter: /.*/ }, ({ path, kind }) => {
            const isIncluded = loader === 'ts' && path.startsWith('.')
            if (kind === 'entry-point' || isIncluded) return undefined
            const file = resolveFrom(importer, path)
            if (isAbsolute(file)) shareAjv(file)
            return { path: isAbsolute(file) ? pathToFileURL(file).href : file, external: true }
          })
        },
      },
    ],
  })
  const folder = mkdtempSync(join(tmpdir(), 'framework-import-'))
  try {
    const file = join(folder, 'module.mjs')
    writeFileSync(file, outputFiles[0]?.contents ?? '')
    return await importFile(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
