/** What keeps an application from being deployed, as problems with their places. */
import { detectServer } from '../target-profiles/detect.ts'
import { diagnostic, warning } from '../report/errors.ts'
import { byPlace } from '../report/order.ts'
import type { Diagnostic, ResolvedOptions } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import type { NamedBy } from './assets.ts'
import type { BundleError } from './bundle.ts'
import { placeOfImport, placeOfText } from './lacks.ts'
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

/** What the application names and is not there: the deployment cannot have it. */
export function missingFiles(
  missing: ReadonlyMap<string, NamedBy>,
  { root }: ResolvedOptions,
): readonly Diagnostic[] {
  return [...missing]
    .map(([target, { file, text }]) =>
      warning('AOT_FILE_NOT_FOUND', placeOfText(file, text, root), displayPath(target, root)),
    )
    .sort((a, b) => byPlace(a, b))
}
