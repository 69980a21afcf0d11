/** A start-up snapshot of the booted application, with the bundle beside it as the way back. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { SnapshotReport } from '../../../runtime/deployed/snapshot/index.ts'
import { checksumOf } from '../../../runtime/deployed/snapshot/integrity.ts'
import type { SnapshotManifest } from '../../../runtime/deployed/snapshot/integrity.ts'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic, ResolvedOptions } from '../../model/index.ts'
import { displayPath } from '../../util/paths.ts'
import type { Bundle } from '../bundle.ts'
import type { NodeRelease } from '../process/node-release.ts'
import { ended } from '../process/start-once.ts'
import type { Platform } from '../targets/platform.ts'
import { checkText, launcherText } from './launcher.ts'
import { snapshotPlatform } from './platform.ts'
import { refusalsOf } from './refusals.ts'
import { deferredShapes } from './shapes.ts'

/** The launcher's name in a deployment. */
export const LAUNCHER = 'start'

export interface SnapshotOptions {
  readonly node: NodeRelease
  /** Where the deployment will lie. */
  readonly out: string
  /** What the deployment is besides. */
  readonly bundled: Pick<Bundle, 'build' | 'format'>
  /** The files beside it that are loaded when they are needed. */
  readonly late: readonly string[]
  /** Joins the application for another platform, to a main file of that name that belongs to a build. */
  bundleFor(platform: Platform, main: string, build: string): Promise<Bundle | Diagnostic>
  readonly options: ResolvedOptions
}

export interface Snapshot {
  /** What has to be as it was when the snapshot was taken. */
  readonly facts: readonly string[]
}

/** Adds a snapshot to a deployment in `folder`; problems when the application cannot be in one. */
export async function takeSnapshot(
  folder: string,
  { node, out, bundled: { build: id, format }, late, bundleFor, options }: SnapshotOptions,
): Promise<Snapshot | readonly Diagnostic[]> {
  const platform = snapshotPlatform({ id, out, late, shapes: deferredShapes(node) })
  const bundled = await bundleFor(platform, 'snapshot-program', id)
  if ('code' in bundled) return [bundled]
  const program = path.join(folder, 'snapshot-program.js')
  for (const [name, file] of Object.entries(bundled.files)) {
    const content = file.type === 'chunk' ? file.code : file.source
    writeFileSync(path.join(folder, name), content)
  }
  const blob = path.join(folder, 'snapshot.blob')
  const told = path.join(folder, 'snapshot-report.json')
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const args = [...node.flags, '--snapshot-blob', blob, '--build-snapshot', program, told]
  // To a file: what Node makes of a pipe is in no snapshot.
  const printed = path.join(folder, 'snapshot-output.txt')
  const output = openSync(printed, 'w')
  const child = spawn(node.path, args, { env, stdio: ['ignore', output, output] })
  const failure = await ended(child, options.bootTimeout)
  closeSync(output)
  const report = existsSync(told)
    ? (JSON.parse(readFileSync(told, 'utf8')) as SnapshotReport)
    : { faults: [], facts: [] }
  const refusals = refusalsOf(report.faults, program, options)
  if (refusals.length > 0) return refusals
  if (failure !== undefined) {
    const at = { file: displayPath(options.entry, options.root), line: 1, column: 1 }
    const said = readFileSync(printed, 'utf8').trim().slice(0, 1000)
    const text = said === '' ? ' ' : ` It printed:\n${said}\n`
    return [diagnostic('AOT_SNAPSHOT_FAILS', at, failure.reason, text)]
  }
  const sizes = late.map((name) => [name, statSync(path.join(folder, name)).size])
  const files = Object.fromEntries(sizes) as SnapshotManifest['files']
  const manifest: SnapshotManifest = { id, ...checksumOf(blob), files }
  writeFileSync(path.join(folder, 'snapshot.json'), `${JSON.stringify(manifest)}\n`)
  writeFileSync(path.join(folder, 'snapshot-check.js'), checkText(format))
  writeFileSync(path.join(folder, LAUNCHER), launcherText(node.flags))
  chmodSync(path.join(folder, LAUNCHER), 0o755)
  for (const file of [program, `${program}.map`, told, printed]) rmSync(file)
  return { facts: report.facts }
}
