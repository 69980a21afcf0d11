/** Warnings about what a deployment contains. */
import { existsSync } from 'node:fs'
import { warning } from '../report/errors.ts'
import { byCauseAndPlace } from '../report/order.ts'
import type { Diagnostic } from '../model/index.ts'
import { displayPath, isPackageFile } from '../util/paths.ts'
import { locateAwait, locateImport, locateText } from '../util/mentions.ts'
import type { Assets } from './assets.ts'
import type { BundledApplication } from './bundle-application.ts'
import { wholeFile } from './deploy-error.ts'
import type { LeftOut } from './output/left-out.ts'
import { modulesWithKeys } from './output/left-out.ts'

/** @param bootsLate whether the application should boot after a Worker has started: modules with `await` run before that */
export function warningsOf(
  { bundled, assets, external }: BundledApplication,
  root: string,
  bootsLate: boolean,
): readonly Diagnostic[] {
  const missingFiles = [...assets.missing].map(([target, { file, text }]) =>
    warning('AOT_FILE_NOT_FOUND', locateText(file, text, root), displayPath(target, root), false),
  )
  // No errors: the application may use these transports of pino only where it isn't deployed.
  const missingTransports = [...external.missing].map(([name, importer]) =>
    warning('AOT_IMPORT_NOT_FOUND', locateImport(importer, name, root), name),
  )
  const missingImports = bundled.missing.map(({ specifier, importer }) =>
    warning('AOT_IMPORT_NOT_FOUND', locateImport(importer, specifier, root), specifier),
  )
  const waiting = (bootsLate ? bundled.asyncModules : [])
    .filter((file) => !isPackageFile(file))
    .map((file) => warning('AOT_AWAIT_AT_START', locateAwait(file, root)))
  const keys = modulesWithKeys(bundled.modules).map((file) =>
    warning('AOT_KEY_BUNDLED', wholeFile(file, root), displayPath(file, root)),
  )
  return [
    ...missingFiles.sort(byCauseAndPlace),
    ...missingTransports,
    ...missingImports.sort(byCauseAndPlace),
    ...waiting.sort(byCauseAndPlace),
    ...keys,
  ]
}

/** Warns about files that aren't copied although the application names them or their folder. @param include paths that the user named */
export function leftOutWarnings(
  leftOut: LeftOut,
  { relativeToCwd }: Assets,
  include: readonly string[],
  root: string,
): readonly Diagnostic[] {
  const relative = [...relativeToCwd]
    .filter(([target]) => existsSync(target) && !include.includes(target) && !leftOut.has(target))
    .map(([target, file]) => {
      const reason = `the path in "${displayPath(file, root)}" is relative to the working directory`
      const name = displayPath(target, root)
      return warning('AOT_FILE_LEFT_OUT', wholeFile(target, root), name, reason, 'module')
    })
  return [...leftOut]
    .map(([file, reason]) =>
      warning('AOT_FILE_LEFT_OUT', wholeFile(file, root), displayPath(file, root), reason),
    )
    .concat(relative)
    .sort(byCauseAndPlace)
}
