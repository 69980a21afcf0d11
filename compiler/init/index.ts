/** `framework init`: what has to change in a project so that its application is built and served with what was built. */
import { join, relative, resolve } from 'node:path'
import type { Line } from '../../runtime/artifact/lines.ts'
import type { Diagnostic } from '../model/index.ts'
import { isFile, packageRootOf } from '../util/paths.ts'
import { diagnostic } from '../report/errors.ts'
import { isFileError } from '../util/source-files.ts'
import type { Changes } from './changes.ts'
import { changesFor } from './changes.ts'
import { ChangedMeanwhile, placeOf, writeAll } from './files.ts'
import type { Found } from './found.ts'
import { findOut } from './found.ts'
import { readPackageJson } from './package-json.ts'
import { findStarting } from './starting.ts'
import { membersOf } from './workspace.ts'

export type { Changes, FileChange } from './changes.ts'
export type { Found } from './found.ts'

export interface Plan extends Changes {
  /** The folder of the package. */
  readonly folder: string
  readonly found: Found
  /** What is to serve the application. */
  readonly line: Line
}

export interface InitOptions {
  /** Where to begin to look for package.json. */
  readonly folder: string
  readonly entry: string | undefined
  readonly line: Line | undefined
}

/** Looks at a project; changes nothing. */
export async function planInit(options: InitOptions): Promise<Plan | Diagnostic> {
  const given = options.entry === undefined ? undefined : resolve(options.folder, options.entry)
  if (given !== undefined && !isFile(given)) {
    const file = relative(options.folder, given)
    return diagnostic('AOT_ENTRY_NOT_FOUND', { file, line: 0, column: 0 }, file)
  }
  const folder = packageRootOf(given ?? join(options.folder, 'x')) ?? options.folder
  const manifest = readPackageJson(folder)
  if (!('text' in manifest)) return manifest
  const at = { file: 'package.json', line: 0, column: 0 }
  const members = membersOf(folder, manifest)
  if (members !== undefined && given === undefined) {
    const applications = members.filter(({ isApplication }) => isApplication)
    const names = (applications.length > 0 ? applications : members).map((one) => one.folder)
    return diagnostic('AOT_INIT_WORKSPACE_ROOT', at, names)
  }
  const starting = await findStarting(folder, manifest, await findOut(folder, manifest, given))
  const { found } = starting
  const line = options.line ?? lineFor(found)
  if (line === undefined) return diagnostic('AOT_INIT_FASTIFY', at, found.fastify?.version ?? '')
  const other = otherFastify(found, line)
  if (other !== undefined) return diagnostic('AOT_INIT_TARGET', at, line, other)
  if (found.entry === undefined) return diagnostic('AOT_INIT_ENTRY', at)
  return { folder, found, line, ...changesFor(folder, manifest, starting, line) }
}

/** Fastify 5 stays; in place of Fastify 4 this package can serve, whose interface is that of Fastify 4. */
function lineFor({ fastify, importsFramework }: Found): Line | undefined {
  if (fastify === undefined || importsFramework) return 'framework'
  if (fastify.major === 5) return 'fastify@5'
  return fastify.major === 4 ? 'framework' : undefined
}

/** What the application runs on where the functions of a line would be for another Fastify; `undefined` where they would not. */
function otherFastify({ fastify, standsIn }: Found, line: Line): string | undefined {
  if (line === 'framework') return undefined
  if (fastify === undefined) {
    return standsIn === undefined ? 'depends on no Fastify' : `has ${standsIn} in place of Fastify`
  }
  const isOther = fastify.major !== undefined && line !== `fastify@${fastify.major}`
  return isOther ? `depends on Fastify ${fastify.version}` : undefined
}

/** @returns what keeps the files from being written; then all of them are as they were */
export function carryOut({
  folder,
  files,
}: Pick<Plan, 'folder' | 'files'>): Diagnostic | undefined {
  try {
    writeAll(files.map(({ file, ...texts }) => ({ ...texts, file: join(folder, file) })))
    return undefined
  } catch (error) {
    if (!isFileError(error) && !(error instanceof ChangedMeanwhile)) throw error
    const failed = error instanceof ChangedMeanwhile ? error.file : placeOf(error.path ?? folder)
    const file = relative(folder, failed)
    return diagnostic('AOT_INIT_NOT_WRITABLE', { file, line: 0, column: 0 }, error.message)
  }
}
