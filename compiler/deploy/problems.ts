/** Diagnostics of problems that keep an application from being deployed. */
import { diagnostic, warning } from '../report/errors.ts'
import { byPlace } from '../report/order.ts'
import type { Diagnostic, ResolvedOptions } from '../model/index.ts'
import { displayPath, isPackageFile } from '../util/paths.ts'
import type { BundleError } from './bundle/bundle-error.ts'
import type { MissingImport } from './bundle/resolution.ts'
import { locateAwait, locateImport, locateText } from './mentions.ts'
import type { Mention } from './assets.ts'
import type { LeftOut } from './output/left-out.ts'

export function notWritable(out: string, reason: string, { root }: ResolvedOptions): Diagnostic {
  const file = displayPath(out, root)
  return diagnostic('AOT_OUTPUT_NOT_WRITABLE', { file, line: 0, column: 0 }, file, reason)
}

export function missingImport(
  { specifier, importer }: MissingImport,
  { root }: ResolvedOptions,
): Diagnostic {
  return diagnostic('AOT_IMPORT_NOT_FOUND', locateImport(importer, specifier, root), specifier)
}

/** Warns about transports of pino that aren't installed: the application may use them elsewhere only. */
export function missingTransports(
  missing: ReadonlyMap<string, string>,
  { root }: ResolvedOptions,
): readonly Diagnostic[] {
  return [...missing].map(([name, importer]) =>
    warning('AOT_IMPORT_NOT_FOUND', locateImport(importer, name, root), name),
  )
}

export function bundleFails(
  { file, line, column, message }: BundleError,
  { root, entry }: ResolvedOptions,
): Diagnostic {
  const at = { file: displayPath(file ?? entry, root), line, column }
  return diagnostic('AOT_BUNDLE_FAILS', at, message)
}

/** Warns about files that the application names and that don't exist. */
export function missingFiles(
  missing: ReadonlyMap<string, Mention>,
  { root }: ResolvedOptions,
): readonly Diagnostic[] {
  return [...missing]
    .map(([target, { file, text }]) =>
      warning('AOT_FILE_NOT_FOUND', locateText(file, text, root), displayPath(target, root)),
    )
    .sort((a, b) => byPlace(a, b))
}

/** Warns about modules that wait while a Worker starts, although the application should boot later. */
export function waitingModules(
  modules: readonly string[],
  { root }: ResolvedOptions,
): readonly Diagnostic[] {
  return modules
    .filter((file) => !isPackageFile(file))
    .map((file) => warning('AOT_AWAIT_AT_START', locateAwait(file, root)))
    .sort(byPlace)
}

/** Warns about modules that contain a private key. */
export function bundledKeys(
  modules: readonly string[],
  { root }: ResolvedOptions,
): readonly Diagnostic[] {
  return modules.map((module) => {
    const file = displayPath(module, root)
    return warning('AOT_KEY_BUNDLED', { file, line: 0, column: 0 }, file)
  })
}

/** Warns about files that aren't copied although the application names them or their folder. */
export function filesLeftOut(leftOut: LeftOut, { root }: ResolvedOptions): readonly Diagnostic[] {
  return [...leftOut]
    .map(([target, reason]) => {
      const file = displayPath(target, root)
      return warning('AOT_FILE_LEFT_OUT', { file, line: 0, column: 0 }, file, reason)
    })
    .sort((a, b) => byPlace(a, b))
}
