import path from 'node:path'
import type { ExportNamedDeclaration, Node, SimpleCallExpression } from 'estree'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { isNodeModule, isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isFolder, isPackageFile } from '../../util/paths.ts'
import type { Assets } from '../assets.ts'
import { sourceOf } from '../assets.ts'
import { compiledName, type DeploymentPaths } from '../deployment-paths.ts'
import { substitute, VIRTUAL } from '../virtual.ts'
import { BY_NAME, candidatesFor, loadsOf } from './loaded-by-name.ts'
import { metaOf, modulePathOf } from './module-paths.ts'
import { noteFile, noteWebAssembly, PassedFolders, startsProgram } from './named-files.ts'
import { isNodeProgram, readerFinder } from './named-modules.ts'
import { createPathReader, isWorkingDirectory, variablesOf } from './path-values.ts'
import { LOCATE, urlExpression } from '../targets/environment.ts'
import { usesListedFolders } from '../targets/listed-folders.ts'
import { isRuntimeFile } from './find-module.ts'
import { ResolveCalls } from './resolve-calls.ts'
import type { ResolutionOptions } from './resolution.ts'
import { neededImports, isText, nameOf, textOf, transformed } from './syntax-tree.ts'

interface LocationOptions extends Pick<ResolutionOptions, 'find' | 'external' | 'platform'> {
  readonly entry: string
  readonly paths: DeploymentPaths
}

/** Skips most modules of packages without parsing them. */
const NEEDS_PARSING =
  /\b__(?:folder|file|url)OfModule\b|\bimport\s*\(|\bimport\.meta\b|\brequire\b|\bWorker\b|\bfork\b|\bcwd\b|\bpath\.resolve\b|\breadFile|\breaddir|\bopendir|\bcreateReadStream\b|\.wasm\b/

/** Matches code that looks for the main module of the process. Some of it expects a file there. */
const READS_MAIN = /\bargv(?:\?\.)?\[1\]|\]=process\.argv\b/

/**
 * Replaces `__dirname`, `import.meta.url` and the like, which `transpile` has renamed, by paths in the deployment, and collects the
 * files that modules name with them. Computed names in `import()` and `require()` are looked up among the modules of the bundle first.
 */
export function locations(
  { entry, paths, find, external, platform }: LocationOptions,
  assets: Assets,
): Plugin {
  const { hasProcesses, replacesFolder = false } = platform
  const passed = new PassedFolders()
  return {
    name: 'framework-locations',
    buildEnd() {
      passed.noteFiles(assets, [...this.getModuleIds()])
    },
    transform(code, id) {
      const [file = id] = id.split('?')
      if (id.startsWith(VIRTUAL) || id.includes('\0') || isRuntimeFile(id)) return null
      if (hasProcesses && READS_MAIN.test(code)) assets.paths.add(entry)
      const isOwn = !isPackageFile(file) && !file.endsWith('.json')
      if (!isOwn && !NEEDS_PARSING.test(code)) return null
      const program = this.parse(code, { jsx: false })
      const text = new MagicString(code)
      const isCommonJs = moduleKindOf(file) === 'commonjs'
      const deployed = paths.of(file)
      const variables = variablesOf(program)
      if (isOwn) assets.neededImports.set(file, neededImports(program))
      const calls = new ResolveCalls({
        file,
        find,
        external,
        paths,
        assets,
        hasProcesses,
        isRequire,
      })
      const resolve = (node: Node): string | URL | undefined => calls.valueOf(node)
      const folder = paths.root
      const { pathOf, valueOf, restOf } = createPathReader({ variables, file, folder, resolve })
      const isReadBy = readerFinder(program, variables)
      /** The nodes that use the result of such a call, which may be converted from a URL. */
      const users = new Map<Node, Node | null>()
      const required: string[] = []
      const exported = new Set<string | undefined>()
      let loadsByName = false
      walk(program, {
        enter(node, parent) {
          if (node.type === 'TryStatement') noteTried(node.block)
          if (hasProcesses && isText(node)) noteWebAssembly(assets, file, textOf(node))
          const target = pathOf(node)
          if (node.type === 'ExportNamedDeclaration') noteExports(node)
          if (isOwn) notePassed(node, parent)
          const converted = convertedBy(node)
          const isResolved = calls.valueOf(converted ?? node) !== undefined
          if (isResolved && converted !== undefined) users.set(converted, users.get(node) ?? parent)
          const isProgram =
            target !== undefined &&
            !isResolved &&
            !isDirname(node) &&
            noteFile(assets, file, target, node, parent, replacesFolder, mayStart(parent))
          const user = users.get(node) ?? parent
          const isDone =
            (isProgram && replaceProgram(target.path, node, parent)) ||
            replaceMeta(node, parent) ||
            calls.replace(node, user, isStep(user), text) ||
            replace(node)
          if (isDone) this.skip()
        },
      })
      // A module that assigns to the name of its path needs a variable.
      for (const name of variables.keys()) {
        const path = modulePathOf(name)?.codeIn(deployed)
        if (path !== undefined) text.prepend(`var ${name}=${path};`)
      }
      if (loadsByName && !isCommonJs) {
        text.prepend(`import * as __byName from ${JSON.stringify(BY_NAME)};`)
      }
      required.forEach((one, i) => {
        text.prepend(`import __required${i} from ${JSON.stringify(substitute('required', one))};`)
      })
      return transformed(text)

      /** Notes folders that the code passes on, and paths and texts that may name files in such folders. */
      function notePassed(node: Node, parent: Node | null): void {
        const value = valueOf(node)
        const rest = restOf(node)
        const name = value === undefined ? textIn(node) : undefined
        if (parent === null || (value ?? rest ?? name) === undefined) return
        if ((pathOf(parent) ?? restOf(parent)) !== undefined) return
        if (name !== undefined && !isImport(parent)) passed.addName(name)
        if (rest !== undefined) passed.addRest(rest)
        if (value === undefined || value.dependsOnCwd !== undefined) return
        if (value.ends !== undefined) passed.addFolder(value.path)
        else if (!isPassedOn(node, parent)) return
        else if (value.path === file) passed.addFolder(path.dirname(file))
        else if (isFolder(value.path)) passed.addFolder(path.resolve(value.path), file)
      }

      /** Returns whether a value leaves this module's constants: for another module, an object, or a variable that is set twice. */
      function isPassedOn(node: Node, user: Node): boolean {
        if (user.type === 'VariableDeclarator') {
          const name = nameOf(user.id)
          return name === undefined || exported.has(name) || variables.get(name)?.length !== 1
        }
        if ('key' in user && user.value !== node) return false
        return !isStep(user) && !(user.type === 'CallExpression' && passesNothing(user))
      }

      function noteExports({ declaration }: ExportNamedDeclaration): void {
        if (declaration?.type !== 'VariableDeclaration') return
        for (const { id } of declaration.declarations) exported.add(nameOf(id))
      }

      function isImport(node: Node): boolean {
        if (node.type === 'CallExpression') return isRequire(node.callee)
        return /^(?:Import|ExportNamed|ExportAll)/.test(node.type)
      }

      /** A program in TypeScript has another name in the deployment. Returns whether the node is replaced by its path. */
      function replaceProgram(target: string, node: Node, parent: Node | null): boolean {
        if (!isTypeScript(target)) return false
        const deployed = compiledName(paths.of(target))
        const isUrl = node.type === 'NewExpression' || convertsToUrl(node)
        const code =
          isUrl && parent !== null && !startsProgram(parent, node)
            ? `new URL(${urlExpression(deployed)})`
            : `${LOCATE}(${JSON.stringify(deployed)})`
        text.overwrite(node.start, node.end, code)
        return true
      }

      /** Returns a function that checks whether code that gets a path may start the module there. It doesn't if the code reads or imports it. */
      function mayStart(user: Node | null): (target: string) => boolean {
        return (target) => {
          if (!hasProcesses || user === null || target === file || isReadBy(user)) return false
          const isText =
            user.type === 'MemberExpression' &&
            /^(?:href|pathname|toString)$/.test(nameOf(user) ?? '')
          const isCreation =
            user.type === 'CallExpression' && nameOf(user.callee) === 'createRequire'
          return (
            !isImport(user) &&
            !isCreation &&
            (isText || !isStep(user)) &&
            isNodeProgram(target, find)
          )
        }
      }

      function noteTried(block: Node): void {
        const names = assets.tried.get(file) ?? new Set()
        walk(block, {
          enter(node) {
            const isCall = node.type === 'CallExpression' && nameOf(node.callee) === 'require'
            const [name] = isCall ? node.arguments : []
            if (name !== undefined && isText(name)) assets.tried.set(file, names.add(textOf(name)))
          },
        })
      }

      /** Replaces `import.meta` as a value: its members are replaced by name. */
      function replaceMeta(node: Node, parent: Node | null): boolean {
        const isMeta = node.type === 'MetaProperty' && node.meta.name === 'import'
        if (!isMeta || parent?.type === 'MemberExpression') return false
        text.overwrite(node.start, node.end, metaOf(deployed))
        return true
      }

      /** Returns whether the nodes inside can be skipped. */
      function replace(node: Node): boolean {
        const location =
          node.type === 'Identifier' && !variables.has(node.name)
            ? modulePathOf(node.name)?.codeIn(deployed)
            : undefined
        if (location !== undefined) {
          text.overwrite(node.start, node.end, location)
          return true
        }
        if (replacesFolder && isWorkingDirectory(node, variables)) {
          text.overwrite(node.start, node.end, `${LOCATE}(${JSON.stringify(paths.of(paths.root))})`)
          return true
        }
        if (node.type === 'ImportExpression') {
          return replaceName(node.source, node, 'importByName')
        }
        if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
        const [name] = node.arguments
        if (name === undefined) return false
        if (!isCommonJs && isCreatedRequire(node.callee)) {
          const specifier = isText(name) ? textOf(name) : moduleOf(name)
          return specifier === undefined
            ? replaceName(name, node, 'requireByName')
            : replaceRequire(specifier, node)
        }
        if (node.callee.name !== 'require' || variables.has('require')) return false
        return replaceName(name, node, 'requireByName')
      }

      function isRequire(node: Node): boolean {
        const isOwn = node.type === 'Identifier' && node.name === 'require'
        return (isOwn && !variables.has('require')) || isCreatedRequire(node)
      }

      function isCreatedRequire(node: Node): boolean {
        const values = node.type === 'Identifier' ? (variables.get(node.name) ?? []) : [node]
        return values.some(
          (one) => one?.type === 'CallExpression' && nameOf(one.callee) === 'createRequire',
        )
      }

      /** Checks whether code uses a path for nothing but to find others. */
      function isStep(user: Node | null): boolean {
        const isUnused = user === null || /^(?:Expression|If)Statement$/.test(user.type)
        const isKey =
          user?.type === 'MemberExpression' ||
          (user?.type === 'BinaryExpression' && user.operator !== '+')
        return isUnused || isKey || pathOf(user) !== undefined
      }

      /** Bundlers don't follow functions of `createRequire`. */
      function replaceRequire(specifier: string, call: SimpleCallExpression): boolean {
        const found = isNodeModule(specifier) ? undefined : find(specifier, file, true)
        if (found === undefined) return true
        if (external.includes(found, specifier))
          assets.required.set(specifier, (assets.required.get(specifier) ?? new Set()).add(file))
        else text.overwrite(call.start, call.end, `__required${required.push(found) - 1}()`)
        return true
      }

      /** Returns the module that a computed path leads to. Files with other extensions are for hooks of the application. */
      function moduleOf(name: Node): string | undefined {
        const known = pathOf(name)
        const isKnown =
          known?.ends === undefined && (known?.dependsOnCwd === undefined || replacesFolder)
        const found = known && isKnown ? sourceOf(known.path) : undefined
        const isModule = /^(?:\.(?:[cm]?[jt]sx?|json|node))?$/.test(path.extname(found ?? ''))
        return isModule || platform.importsFiles === true ? found : undefined
      }

      function replaceName(name: Node, call: Node, by: 'importByName' | 'requireByName'): boolean {
        if (isText(name)) return false
        const module = moduleOf(name)
        if (module !== undefined) {
          text.overwrite(name.start, name.end, JSON.stringify(module))
          return true
        }
        loadsByName = true
        const from = isCommonJs ? `require(${JSON.stringify(BY_NAME)})` : '__byName'
        text.overwrite(call.start, name.start, `${from}.${by}(`)
        const candidates = candidatesFor(name, file)
        const loads = loadsOf(candidates, by === 'importByName' ? 'import' : 'require', paths)
        text.overwrite(name.end, call.end, `,${JSON.stringify(deployed)},${loads})`)
        if (candidates.length === 0 && !usesListedFolders(file)) assets.unknownNames.add(file)
        return false
      }
    },
  }
}

/** `dirname()` is a step on the way to a file. */
function isDirname(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node.callee) === 'dirname'
}

/** Returns a text, or the path that a call such as `inProject('sql', 'all.sql')` consists of. */
function textIn(node: Node): string | undefined {
  if (isText(node)) return textOf(node)
  const args = node.type === 'CallExpression' ? node.arguments : []
  return args.length > 1 && args.every(isText) ? args.map(textOf).join('/') : undefined
}

/** Matches calls that get a path without reading anything there. */
function passesNothing({ callee }: SimpleCallExpression): boolean {
  return /^(?:basename|createRequire|debug|existsSync|info|isAbsolute|log|relative)$/.test(
    nameOf(callee) ?? '',
  )
}

function convertsToUrl(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node.callee) === 'pathToFileURL'
}

/** Returns what `fileURLToPath(url)` and `new URL(url)` convert. */
function convertedBy(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  const converts = /^(?:fileURLToPath|pathToFileURL|URL)$/.test(nameOf(node.callee) ?? '')
  return converts && node.arguments.length === 1 ? node.arguments[0] : undefined
}
