/** Reads artifacts and deployments from the disk. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Manifest } from '../manifest.ts'
import { accepts, detectServer } from '../../servers/detect.ts'
import type { Server } from '../../servers/detect.ts'
import { packageJsonIn } from '../../util/package-json.ts'
import { isFile, nearestFolder, packageRootOf } from '../../util/paths.ts'

export interface ArtifactManifest {
  readonly folder: string
  /** The folder that paths in the manifest are relative to. */
  readonly root: string
  /** The absolute path of the entry file. */
  readonly entry: string
  readonly manifest: Manifest
}

/** The folder of the artifact; by default beside the nearest package.json. */
export function artifactFolder(out: string | undefined, near: string = process.cwd()): string {
  if (out !== undefined) return resolve(out)
  return join(nearestFolder(near, 'package.json') ?? process.cwd(), '.framework')
}

/** `undefined` if there is no artifact, or its manifest is damaged. */
export function readArtifact(folder: string): ArtifactManifest | undefined {
  const file = join(folder, 'manifest.json')
  if (!isFile(file)) return undefined
  const manifest = readManifest(file)
  if (manifest === undefined) return undefined
  const root = rootAbove(folder, manifest.entry)
  return { folder, root, entry: resolve(root, manifest.entry), manifest }
}

/** Reads the artifact that a build of an entry writes, which may be of another entry. */
export function artifactBeside(
  entry: string,
  out: string | undefined,
): ArtifactManifest | undefined {
  return readArtifact(artifactFolder(out, dirname(resolve(entry))))
}

/**
 * Returns the target of the last build of an entry, for commands that keep it. Returns `undefined` without an artifact of
 * this entry, or if the application has moved to another server.
 */
export function targetOf(out: string | undefined, entry: string): LineName | undefined {
  const built = artifactBeside(entry, out)
  if (built === undefined || built.entry !== resolve(entry) || otherServer(built)) return undefined
  return recordedTarget(built)
}

/** Returns the target by which another build of an unchanged application gives the same artifact. */
export function recordedTarget({ manifest: { options, line } }: ArtifactManifest): LineName {
  // Earlier versions haven't recorded it.
  return options?.target ?? line ?? 'framework'
}

/** Returns the server that the application has moved to, which doesn't accept the functions of the artifact. */
export function otherServer({ entry, root, manifest }: ArtifactManifest): Server | undefined {
  const server = detectServer(entry, root)
  return accepts(server, manifest.line ?? 'framework') ? undefined : server
}

/** `undefined` if the file isn't a manifest, or is damaged. */
export function readManifest(file: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null
    return manifest?.entry === undefined ? undefined : (manifest as Manifest)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns whether the manifest contains schemas. Manifests of earlier versions don't. */
export function hasSchemas(manifest: Manifest): boolean {
  return 'schemas' in manifest && 'factory' in manifest
}

/** Returns the nearest parent folder of a package with this entry, or else that of any package. */
function rootAbove(folder: string, entry: string): string {
  for (let root = dirname(folder); root !== dirname(root); root = dirname(root)) {
    if (existsSync(join(root, 'package.json')) && isFile(join(root, entry))) return root
  }
  return packageRootOf(folder) ?? dirname(folder)
}

/** Returns whether `framework deploy` has written a folder. */
export function isDeployment(folder: string): boolean {
  return 'framework' in packageJsonIn(folder)
}
