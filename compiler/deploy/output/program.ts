import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { VERSION } from '../../../runtime/artifact/version.ts'
import { displayPath } from '../../util/paths.ts'
import type { BundledApplication } from '../bundle-application.ts'
import { FILES, MAIN_FILE } from '../deployment-paths.ts'
import { deploymentNotices, LICENSES } from '../licenses.ts'
import type { Platform } from '../targets/platform.ts'
import { copyAssets } from './copy-assets.ts'
import { copyPackages } from './copy-packages.ts'
import type { LeftOut } from './left-out.ts'
import { createCopyFilter } from './left-out.ts'

export interface CopiedFiles {
  /** Paths in node_modules. */
  readonly packages: readonly string[]
  readonly assets: readonly string[]
  readonly leftOut: LeftOut
}

/**
 * Writes a deployment into `folder`. Returns what was copied.
 *
 * @param include files and folders that the user named
 * @param code names of the chunks, and of the files with validators and serializers. Lacks the schemas that are loaded on demand.
 * @param places the folders of the application, and of the deployment when it's complete
 */
export function writeProgram(
  folder: string,
  application: BundledApplication,
  platform: Platform,
  applicationName: string,
  include: readonly string[],
  code: readonly string[],
  places: { readonly root: string; readonly out: string },
): CopiedFiles {
  const { bundled, otherFiles, external, paths, entry, exports, toProject } = application
  const program = path.join(folder, platform.programFolder ?? '')
  const write = (name: string, content: string | Uint8Array): void => {
    const file = path.join(program, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  for (const [name, file] of Object.entries(bundled.files)) {
    write(name, file.type === 'chunk' ? file.code : file.source)
  }
  const type = bundled.format === 'cjs' ? 'commonjs' : 'module'
  // `isDeployment` recognizes deployments by the member `framework`.
  const packageJson = { private: true, type, main: MAIN_FILE, framework: VERSION }
  write('package.json', `${JSON.stringify(packageJson)}\n`)
  for (const [name, text] of otherFiles) write(name, text)
  write(LICENSES, deploymentNotices(bundled.modules))
  const leftOut: LeftOut = new Map()
  const copied = platform.hasProcesses ? external.packages.values() : []
  const packages = copyPackages(copied, program, leftOut)
  const mayCopy = createCopyFilter(paths.project, include, leftOut)
  const assets = copyAssets(application, program, platform, include, mayCopy, leftOut)
  const onDemand = platform.onDemand === 'modules' ? [...otherFiles.keys()] : []
  const webAssembly = Object.keys(bundled.files).filter((name) => name.endsWith('.wasm'))
  const configFiles = platform.configFiles?.({
    applicationName,
    code: [...new Set([...code, ...onDemand, ...webAssembly])].sort(),
    onDemand,
    assets,
    exports,
    ...places,
    entry: toProject && toProject + path.posix.relative(FILES, paths.of(entry)),
  })
  for (const [name, text] of Object.entries(configFiles ?? {})) {
    writeFileSync(path.join(folder, name), text)
  }
  return {
    packages: packages.map((file) => displayPath(file, path.join(program, 'node_modules'))),
    assets,
    leftOut,
  }
}
