import { attachScopes, type AttachedScope } from '@rollup/pluginutils'
import type { Node, SimpleCallExpression } from 'estree'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { isNodeModule, moduleKindOf } from '../../util/module-kind.ts'
import { isFolder, isPackageFile } from '../../util/paths.ts'
import type { Assets } from '../assets.ts'
import { sourceOf } from '../assets.ts'
import { compiledName, type DeploymentPaths } from '../deployment-paths.ts'
import { substitute, VIRTUAL } from '../virtual.ts'
import { BY_NAME, candidatesFor } from './loaded-by-name.ts'
import { fileNameIn, isDirname, locationOf, startsProgram } from './path-expressions.ts'
import type { NamedPath } from './path-values.ts'
import { createPathReader, isWorkingDirectory, variablesOf } from './path-values.ts'
import { LOCATE } from '../targets/environment.ts'
import { isRuntimeFile } from './find-module.ts'
import type { ResolutionOptions } from './resolution.ts'
import { isText, nameOf, textOf, transformed } from './syntax-tree.ts'

interface LocationOptions extends Pick<ResolutionOptions, 'find' | 'external' | 'platform'> {
  readonly paths: DeploymentPaths
}

type Scoped = Node & { readonly scope?: AttachedScope }

/** Skips most modules without parsing them. */
const NEEDS_PARSING =
  /\b__dirname\b|\b__filename\b|\bimport\s*\.\s*meta\b|\bimport\s*\(|\brequire\b|\bWorker\b|\bfork\b|\bcwd\b/

/**
 * Replaces `__dirname`, `import.meta.url` and the like by paths in the deployment, and collects the files that modules name with
 * them. Computed names in `import()` and `require()` are looked up among the modules of the bundle first.
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
      const deployed = compiledName(paths.of(file))
      const variables = variablesOf(program)
      const pathOf = createPathReader(variables, file, folder)
      const required: string[] = []
      let loadsByName = false
      let scope = attachScopes(program)
      for (const statement of program.body) {
        if (statement.type !== 'ImportDeclaration') continue
        for (const { local } of statement.specifiers) scope.declarations[local.name] = true
      }
      walk(program, {
        enter(node: Scoped, parent) {
          scope = node.scope ?? scope
          const target = pathOf(node)
          if (target !== undefined && !isDirname(node)) noteAsset(target, node, parent)
          if (replace(node, parent)) this.skip()
        },
        leave(node: Scoped) {
          if (node.scope) scope = scope.parent ?? scope
        },
      })
      if (loadsByName && !isCommonJs) {
        text.prepend(`import * as __byName from ${JSON.stringify(BY_NAME)};`)
      }
      required.forEach((one, i) => {
        text.prepend(`import __required${i} from ${JSON.stringify(substitute('required', one))};`)
      })
      return transformed(text)

      function noteAsset(
        { path: named, isInFolder }: NamedPath,
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
        const isOwn = !isPackageFile(file) && !isInFolder
        const written = isOwn ? fileNameIn(node, parent) : undefined
        if (written !== undefined && sourceOf(target) === undefined && !isFolder(target)) {
          assets.missing.set(target, { file, text: written })
        }
      }

      /** Returns whether the whole node is replaced. */
      function replace(node: Node, parent: Node | null): boolean {
        const location = locationOf(node, parent, deployed, isDeclared)
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
        if (node.callee.name !== 'require' || isDeclared('require')) return false
        return replaceName(name, node, 'requireByName')
      }

      /** Checks whether a declaration of the module is in scope: an import, a variable, a parameter. */
      function isDeclared(name: string): boolean {
        return scope.contains(name)
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
        const load = by === 'importByName' ? 'import' : 'require'
        const loads = candidates.map(
          (one) =>
            `${JSON.stringify(compiledName(paths.of(one)))}:()=>${load}(${JSON.stringify(one)})`,
        )
        text.overwrite(name.end, call.end, `,${JSON.stringify(deployed)},{${loads.join()}})`)
        if (candidates.length === 0) assets.unknownNames.add(file)
        return false
      }
    },
  }
}
