/** What keeps an application from being deployed, as problems with their places. */
import { detectServer } from '../lines/detect.ts'
import { diagnostic } from '../report/errors.ts'
import type { Diagnostic, ResolvedOptions } from '../model.ts'
import { displayPath } from '../options.ts'
import type { BundleError } from './bundle.ts'
import { placeOfImport } from './lacks.ts'
import type { MissingImport } from './resolution.ts'

export function notWritable(out: string, reason: string, { root }: ResolvedOptions): Diagnostic {
  const file = displayPath(out, root)
  return diagnostic('AOT_OUTPUT_NOT_WRITABLE', { file, line: 0, column: 0 }, file, reason)
}

export function missingImport(
  { specifier, importer }: MissingImport,
  { root }: ResolvedOptions,
): Diagnostic {
  return diagnostic('AOT_IMPORT_NOT_FOUND', placeOfImport(importer, specifier, root), specifier)
}

/** What is to be known of an application that another Fastify serves while it is developed. */
export function otherServer({ entry, root }: ResolvedOptions): readonly Diagnostic[] {
  const server = detectServer(entry, root)
  if (server?.line !== 'fastify@5') return []
  return [diagnostic('AOT_OTHER_SERVER', placeOfImport(entry, 'fastify', root), server.name)]
}

export function bundleFails(
  { file, line, column, message }: BundleError,
  { root, entry }: ResolvedOptions,
): Diagnostic {
  const at = { file: displayPath(file ?? entry, root), line, column }
  return diagnostic('AOT_BUNDLE_FAILS', at, message)
}
