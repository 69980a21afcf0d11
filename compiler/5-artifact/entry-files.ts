/** The files of an artifact with fixed names. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FastifyLine } from '../../runtime/artifact/lines.ts'
import type { BridgeIndex } from '../../runtime/bridge/bridge-index.ts'
import type { ArtifactIndex } from '../../runtime/artifact/load.ts'
import { parsePackageJson } from '../util/package-json.ts'
import type { SourceFiles } from '../util/source-files.ts'
import type { LibraryParsers } from './library-parsers.ts'
import { NOTE } from './overwrite-conflict.ts'

/** The data of an artifact in its entry files. Each adds its own URL. */
export type Index = Omit<ArtifactIndex, 'url'>

/** The module system of a `.js` file. */
type ModuleKind = 'commonjs' | 'module'

type EntryFile = readonly [file: string, text: string]

/** All entry files, whatever the target of the artifact. */
export const ENTRY_FILES: ReadonlySet<string> = new Set(
  `bridge.mjs fastify.mjs index.d.mts index.mjs manifest.json register.js schema-controller.d.mts
  schema-controller.mjs worker.d.mts worker.mjs`.split(/\s+/),
)

export function entryFilesOfRuntime(
  index: Index,
  kind: ModuleKind,
  libraries: LibraryParsers['modules'],
): readonly EntryFile[] {
  return [
    ['index.mjs', indexSource(index, libraries)],
    ['index.d.mts', `${NOTE}${ARTIFACT_TYPES}`],
    ['worker.d.mts', `${NOTE}${ARTIFACT_TYPES}`],
    ['register.js', registerSource(index, kind, libraries)],
  ]
}

/** Entry files for Fastify itself include the code that looks up functions. */
export function entryFilesOfFastify(
  index: Index & Pick<BridgeIndex, 'line' | 'serializers'>,
  kind: ModuleKind,
): readonly EntryFile[] {
  return [
    ['bridge.mjs', bridgeSource(index)],
    ['fastify.mjs', `${NOTE}${PRELOAD}`],
    ['schema-controller.d.mts', `${NOTE}${CONTROLLER_TYPES}`],
    ['schema-controller.mjs', `${NOTE}${CONTROLLER}`],
    // The runtime has no line for Fastify 4.29.
    ...(index.line === 'fastify@4'
      ? [['register.js', refusalSource(index.line, kind)] as const]
      : []),
  ]
}

const ARTIFACT_TYPES = `import type { FastifyServerOptions } from 'framework'

declare const artifact: NonNullable<NonNullable<FastifyServerOptions['aot']>['artifact']>
export default artifact
`

function indexSource(index: Index, libraries: LibraryParsers['modules']): string {
  return `${NOTE}import { openArtifact } from 'framework/internal'
${importsOf(libraries, 'module')}
export default openArtifact({ ...${JSON.stringify(index)}, url: import.meta.url${librariesText(libraries)} })
`
}

/** Imports the modules that parsers call functions of. The application has loaded them itself, in its own module system. */
function importsOf(libraries: LibraryParsers['modules'], kind: ModuleKind): string {
  return [...libraries]
    .map(([name, { specifier }]) =>
      kind === 'module'
        ? `import * as ${name} from '${specifier}'\n`
        : `const ${name} = require('${specifier}')\n`,
    )
    .join('')
}

/**
 * The same for bundles, which leave out the rest of the modules, and the functions of the runtime that only such artifacts need. The
 * members come after a comma.
 */
export function bundledMembers(
  libraries: LibraryParsers['modules'],
  hasReplayChecks: boolean,
): {
  readonly imports: string
  readonly members: string
} {
  const lists = [...libraries].map(([name, { specifier, members }]) => {
    const [imported, taken] = [' as ', ': '].map((between) =>
      [...members]
        .sort()
        .map((one) => `${one}${between}${name}_${one}`)
        .join(', '),
    )
    return {
      imports: `import { ${imported} } from '${specifier}'\n`,
      member: `${name}: { ${taken} }`,
    }
  })
  const ofRuntime = [
    ...(libraries.size > 0 ? ['attachParser'] : []),
    ...(hasReplayChecks ? ['firstChange'] : []),
  ]
  const importOf = (name: string): string => `import { ${name} } from 'framework/internal'\n`
  return {
    imports: [...lists.map((one) => one.imports), ...ofRuntime.map(importOf)].join(''),
    members: [
      ...(libraries.size > 0
        ? [`, libraries: { ${lists.map((one) => one.member).join(', ')} }`]
        : []),
      ...ofRuntime.map((name) => `, ${name}`),
    ].join(''),
  }
}

/** Returns the member with these modules, after a comma. */
function librariesText(libraries: LibraryParsers['modules']): string {
  return libraries.size === 0 ? '' : `, libraries: { ${[...libraries.keys()].join(', ')} }`
}

/**
 * Puts the artifact's data where the runtime looks for it. Warns if Fastify itself is started instead, which would ignore it
 * and compile every schema.
 */
function registerSource(
  index: Index,
  kind: ModuleKind,
  libraries: LibraryParsers['modules'],
): string {
  const url =
    kind === 'module' ? 'import.meta.url' : "require('node:url').pathToFileURL(__filename).href"
  return `${NOTE}${importsOf(libraries, kind)}const artifacts = (globalThis['framework.artifacts'] ??= [])
artifacts.push({ ...${JSON.stringify(index)}, url: ${url}${librariesText(libraries)} })

const channels = process.getBuiltinModule('node:diagnostics_channel')
channels.subscribe('fastify.initialization', (message) => {
  // Test files of Jest share the channel, and have their own artifacts and their own \`Object\`.
  const isOfOtherFile = !(message instanceof Object || channels instanceof Object)
  if (isOfOtherFile || artifacts.isLookedInto || artifacts.isDoubted) return
  artifacts.isDoubted = true
  setTimeout(() => {
    if (!artifacts.isLookedInto) process.emitWarning(${JSON.stringify(index.line === undefined ? UNUSED : UNUSED_5)}, 'FrameworkWarning')
  }, 1000).unref()
})
`
}

const UNUSED =
  'Fastify itself is used, which compiles every schema: it does not look into the artifact that is preloaded. Start with "--import framework/fastify" as well, which puts "framework" in its place, or run "framework build" again without "--server framework", for Fastify itself.'

const UNUSED_5 =
  'Fastify itself is used, which compiles every schema: it does not look into the artifact that is preloaded. Start with "--import framework/fastify" as well, which puts "framework/5" in its place, or preload fastify.mjs instead of register.js.'

const PRELOAD = `import { index, preload } from './bridge.mjs'

preload(index, import.meta.url)
`

const CONTROLLER = `import { createSchemaController as create, index } from './bridge.mjs'

export const createSchemaController = (options) => create(index, options)
export const schemaController = createSchemaController()
`

const CONTROLLER_TYPES = `export interface SchemaController {
  compilersFactory: { buildValidator: any; buildSerializer: any }
}

export declare function createSchemaController(options?: { strict?: boolean }): SchemaController
export declare const schemaController: SchemaController
`

/** `runtime/bridge` as one module, with the index of the artifact. */
function bridgeSource(index: Index): string {
  const code = readFileSync(new URL('./bridge.js', import.meta.url), 'utf8')
  return `${NOTE}${code}
export const index = { ...${JSON.stringify(index)}, url: import.meta.url }
`
}

/** Fails at startup: an artifact for Fastify is preloaded by another file. */
function refusalSource(line: FastifyLine, kind: ModuleKind): string {
  const message = `This artifact was built for ${line}: start the application with "node --import ./.framework/fastify.mjs", or build it for "--server framework".`
  return `${NOTE}${kind === 'module' ? '' : "'use strict'\n"}throw new Error(${JSON.stringify(message)})
`
}

/** Returns the module system of `.js` files in `folder`. */
export function kindOfFolder(folder: string, files: SourceFiles): ModuleKind {
  const packageJson = join(folder, 'package.json')
  if (files.isFile(packageJson)) {
    const { type } = parsePackageJson(files.text(packageJson))
    return type === 'module' ? type : 'commonjs'
  }
  const parent = dirname(folder)
  return parent === folder ? 'commonjs' : kindOfFolder(parent, files)
}
