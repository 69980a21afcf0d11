import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, Program, SimpleCallExpression } from 'estree'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import { isFolder } from '../../util/paths.ts'
import type { Assets } from '../assets.ts'
import { sourceOf } from '../assets.ts'
import type { DeploymentPaths } from '../deployment-paths.ts'
import { compiledName } from '../deployment-paths.ts'
import type { ExternalPackages } from '../external-packages.ts'
import { isPackageFile, moduleKindOf } from '../module-kind.ts'
import { LOCATE } from '../targets/environment.ts'
import { VIRTUAL } from '../virtual.ts'
import { BY_NAME, candidatesFor } from './loaded-by-name.ts'
import { createPathReader } from './path-values.ts'
import type { FindModule } from './resolution.ts'
import { isRuntimeFile, requiredModule } from './resolution.ts'
import { isText, nameOf, parametersOf, textOf } from './syntax-tree.ts'

/** Skips most modules without parsing them. */
const NEEDS_PARSING =
  /\b__dirname\b|\b__filename\b|\bimport\s*\.\s*meta\b|\bimport\s*\(|\brequire\b|\bWorker\b|\bfork\b/

/**
 * Replaces `__dirname`, `import.meta.url` and the like by paths in the deployment, and collects the files that modules name with
 * them. Computed names in `import()` and `require()` are looked up among the modules of the bundle first.
 */
export function locations(
  paths: DeploymentPaths,
  assets: Assets,
  find: FindModule,
  external: ExternalPackages,
): Plugin {
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
      const readPath = createPathReader(program, file)
      const declaresRequire = declares(program, 'require')
      const createdRequires = isCommonJs ? new Set<string>() : createdRequiresIn(program)
      const required: string[] = []
      let loadsByName = false
      walk(program, {
        enter(node, parent) {
          const target = pathOf(node, readPath)
          if (target !== undefined && !isDirname(node)) noteAsset(target, node, parent)
          if (replace(node, parent)) this.skip()
        },
      })
      if (!text.hasChanged()) return null
      if (loadsByName && !isCommonJs) {
        text.prepend(`import * as __byName from ${JSON.stringify(BY_NAME)};`)
      }
      required.forEach((one, i) => {
        text.prepend(`import __required${i} from ${JSON.stringify(requiredModule(one))};`)
      })
      return { code: text.toString(), map: text.generateMap({ hires: true }) }

      function noteAsset(target: string, node: Node, parent: Node | null): void {
        if (parent !== null && startsProgram(parent, node)) {
          assets.programs.add(target)
          return
        }
        assets.paths.add(target)
        const written = isPackageFile(file) ? undefined : fileNameIn(node, parent)
        if (written !== undefined && sourceOf(target) === undefined && !isFolder(target)) {
          assets.missing.set(target, { file, text: written })
        }
      }

      /** Returns whether the whole node is replaced. */
      function replace(node: Node, parent: Node | null): boolean {
        const location = locationOf(node, parent, deployed)
        if (location !== undefined) {
          text.overwrite(node.start, node.end, location)
          return true
        }
        if (node.type === 'ImportExpression') {
          return replaceName(node.source, node, 'importByName')
        }
        if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
        const [name] = node.arguments
        if (name === undefined) return false
        if (createdRequires.has(node.callee.name)) {
          return isText(name)
            ? replaceRequire(textOf(name), node)
            : replaceName(name, node, 'requireByName')
        }
        if (declaresRequire || node.callee.name !== 'require') return false
        return replaceName(name, node, 'requireByName')
      }

      /** Bundlers don't follow functions of `createRequire`. */
      function replaceRequire(specifier: string, call: SimpleCallExpression): boolean {
        const found = isBuiltin(specifier) ? undefined : find(specifier, file, true)
        if (found !== undefined && !external.includes(found, specifier)) {
          text.overwrite(call.start, call.end, `__required${required.push(found) - 1}()`)
        }
        return true
      }

      function replaceName(name: Node, call: Node, by: 'importByName' | 'requireByName'): boolean {
        if (isText(name)) return false
        const known = pathOf(name, readPath)
        const module = known === undefined ? undefined : sourceOf(known)
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

/** Returns the absolute path that an expression evaluates to. */
function pathOf(
  node: Node,
  readPath: (node: Node) => string | URL | undefined,
): string | undefined {
  if (!/^(?:CallExpression|NewExpression|TemplateLiteral|BinaryExpression)$/.test(node.type)) {
    return undefined
  }
  const value = readPath(node)
  if (value === undefined) return undefined
  const text = String(value)
  if (text.startsWith('file:')) return fileURLToPath(text)
  return path.isAbsolute(text) ? path.normalize(text) : undefined
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

/** Returns the replacement of `__dirname`, `import.meta.url` and the like. */
function locationOf(node: Node, parent: Node | null, deployed: string): string | undefined {
  const file = JSON.stringify(deployed)
  const folder = JSON.stringify(path.posix.dirname(deployed))
  if (node.type === 'Identifier' && isReference(node, parent)) {
    if (node.name === '__dirname') return `${LOCATE}(${folder})`
    if (node.name === '__filename') return `${LOCATE}(${file})`
  }
  if (node.type !== 'MemberExpression' || node.object.type !== 'MetaProperty') return undefined
  switch (nameOf(node)) {
    case 'url':
      return `${LOCATE}.url(${file})`
    case 'dirname':
      return `${LOCATE}(${folder})`
    case 'filename':
      return `${LOCATE}(${file})`
    default:
      return undefined
  }
}

function isReference(node: Node, parent: Node | null): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.property !== node || parent.computed
    case 'Property':
      return parent.value === node && !parent.shorthand
    case 'PropertyDefinition':
      return parent.value === node
    case 'VariableDeclarator':
      return parent.id !== node
    default:
      return true
  }
}

/** Finds the names of functions that `createRequire` returns. */
function createdRequiresIn(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, {
    enter(node) {
      if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return
      if (node.init?.type !== 'CallExpression') return
      if (nameOf(node.init.callee) === 'createRequire') names.add(node.id.name)
    },
  })
  return names
}

/** Checks whether a variable or a parameter has that name. */
function declares(program: Program, name: string): boolean {
  let found = false
  const isName = (node: Node): boolean => node.type === 'Identifier' && node.name === name
  walk(program, {
    enter(node) {
      found ||= node.type === 'VariableDeclarator' && isName(node.id)
      found ||= parametersOf(node).some(isName)
    },
  })
  return found
}
