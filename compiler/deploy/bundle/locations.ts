import type { Node, SimpleCallExpression } from 'estree'
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
import { modulePathOf } from './module-paths.ts'
import type { NamedPath } from './path-values.ts'
import { createPathReader, isWorkingDirectory, variablesOf } from './path-values.ts'
import { LOCATE } from '../targets/environment.ts'
import { usesListedFolders } from '../targets/listed-folders.ts'
import { isRuntimeFile } from './find-module.ts'
import type { ResolutionOptions } from './resolution.ts'
import { isText, nameOf, textOf, transformed } from './syntax-tree.ts'

interface LocationOptions extends Pick<ResolutionOptions, 'find' | 'external' | 'platform'> {
  readonly paths: DeploymentPaths
}

/** Skips most modules without parsing them. */
const NEEDS_PARSING =
  /\b__(?:folder|file|url)OfModule\b|\bimport\s*\(|\brequire\b|\bWorker\b|\bfork\b|\bcwd\b/

/**
 * Replaces `__dirname`, `import.meta.url` and the like, which `transpile` has renamed, by paths in the deployment, and collects the
 * files that modules name with them. Computed names in `import()` and `require()` are looked up among the modules of the bundle first.
 */
export function locations(
  { paths, find, external, platform }: LocationOptions,
  assets: Assets,
): Plugin {
  const folder = platform.replacesFolder === true ? paths.root : undefined
  return {
    name: 'framework-locations',
    transform(code, id) {
      const [file = id] = id.split('?')
      if (id.startsWith(VIRTUAL) || id.includes('\0') || isRuntimeFile(id)) return null
      if (!NEEDS_PARSING.test(code)) return null
      const program = this.parse(code, { jsx: false })
      const text = new MagicString(code)
      const isCommonJs = moduleKindOf(file) === 'commonjs'
      const deployed = paths.of(file)
      const variables = variablesOf(program)
      const pathOf = createPathReader(variables, file, folder)
      const required: string[] = []
      let loadsByName = false
      walk(program, {
        enter(node, parent) {
          const target = pathOf(node)
          if (target !== undefined && !isDirname(node)) noteAsset(target, node, parent)
          if (replaceProgram(target?.path, node, parent) || replace(node)) this.skip()
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

      function noteAsset(
        { path: named, dependsOnCwd }: NamedPath,
        node: Node,
        parent: Node | null,
      ): void {
        // Packages look for the files that match a pattern in the folder before it.
        const target = /[*{]/.test(named) ? named.replace(/[\\/][^\\/]*[*{].*$/, '') : named
        if (parent !== null && startsProgram(parent, node)) {
          assets.programs.add(target)
          return
        }
        assets.paths.add(target)
        // Files of the working directory may appear there later.
        const isOwn = !isPackageFile(file) && !dependsOnCwd
        const written = isOwn ? fileNameIn(node, parent) : undefined
        if (written !== undefined && sourceOf(target) === undefined && !isFolder(target)) {
          assets.missing.set(target, { file, text: written })
        }
      }

      /** A program in TypeScript has another name in the deployment. Returns whether the node is replaced by its path. */
      function replaceProgram(target = '', node: Node, parent: Node | null): boolean {
        if (!isTypeScript(target) || parent === null || !startsProgram(parent, node)) return false
        const deployed = JSON.stringify(compiledName(paths.of(target)))
        text.overwrite(node.start, node.end, `${LOCATE}(${deployed})`)
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
        if (folder !== undefined && isWorkingDirectory(node)) {
          text.overwrite(node.start, node.end, `${LOCATE}(${JSON.stringify(paths.of(folder))})`)
          return true
        }
        if (node.type === 'ImportExpression') {
          return replaceName(node.source, node, 'importByName')
        }
        if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
        const [name] = node.arguments
        if (name === undefined) return false
        if (!isCommonJs && isCreatedRequire(node.callee.name)) {
          const specifier = isText(name) ? textOf(name) : moduleOf(name)
          return specifier === undefined
            ? replaceName(name, node, 'requireByName')
            : replaceRequire(specifier, node)
        }
        if (node.callee.name !== 'require' || variables.has('require')) return false
        return replaceName(name, node, 'requireByName')
      }

      function isCreatedRequire(name: string): boolean {
        const values = variables.get(name) ?? []
        return values.some(
          (one) => one?.type === 'CallExpression' && nameOf(one.callee) === 'createRequire',
        )
      }

      /** Bundlers don't follow functions of `createRequire`. */
      function replaceRequire(specifier: string, call: SimpleCallExpression): boolean {
        const found = isNodeModule(specifier) ? undefined : find(specifier, file, true)
        if (found !== undefined && !external.includes(found, specifier)) {
          text.overwrite(call.start, call.end, `__required${required.push(found) - 1}()`)
        }
        return true
      }

      /** Returns the file that a computed path leads to. */
      function moduleOf(name: Node): string | undefined {
        const known = pathOf(name)
        return known && sourceOf(known.path)
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

/** Returns the text in which a call names a file; `undefined` if the call gives only the beginning of a path. */
function fileNameIn(node: Node, parent: Node | null): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  if (parent?.type === 'BinaryExpression' || parent?.type === 'TemplateLiteral') return undefined
  return node.arguments.filter(isText).map(textOf).at(-1)
}

/** Matches the first argument of `new Worker(path)` and `fork(path)`. */
function startsProgram(parent: Node, node: Node): boolean {
  if (parent.type !== 'NewExpression' && parent.type !== 'CallExpression') return false
  const name = nameOf(parent.callee)
  return (name === 'Worker' || name === 'fork') && parent.arguments[0] === node
}
