import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import MagicString from 'magic-string'
import type { Plugin } from 'rollup'
import type { Assets } from './assets.ts'
import { sourceOf } from './assets.ts'
import { BY_NAME, modulesNear } from './by-name.ts'
import { isPackageFile, moduleKindOf } from './module-kind.ts'
import { createPathReader, nameOf } from './syntax/path-values.ts'
import { compiledName } from './places.ts'
import type { Places } from './places.ts'
import type { FindModule } from './resolution.ts'
import { OWN } from './own.ts'
import { PLACE } from './targets/environment.ts'
import { isRuntimeFile, requiredModule } from './resolution.ts'
import type { Outside } from './outside.ts'
import type { SyntaxNode } from './syntax/walk.ts'
import { childOf, childrenOf, isNode, walk } from './syntax/walk.ts'
import { isFolder } from './write.ts'

const ASKS =
  /\b__dirname\b|\b__filename\b|\bimport\s*\.\s*meta\b|\bimport\s*\(|\brequire\b|\bWorker\b|\bfork\b/

/**
 * Gives modules the places in the deployment that they have around the application: `__dirname`, `import.meta.url` and
 * the like. The files that they name so come along. What is loaded by a name that is not written down is looked for
 * among the modules of the bundle first.
 */
export function locations(
  places: Places,
  assets: Assets,
  find: FindModule,
  outside: Outside,
): Plugin {
  return {
    name: 'framework-locations',
    transform(code, id) {
      const [file = id] = id.split('?')
      if (id.startsWith(OWN) || id.includes('\0') || isRuntimeFile(id) || !ASKS.test(code)) {
        return null
      }
      const program = this.parse(code, { jsx: false }) as unknown as SyntaxNode
      const text = new MagicString(code)
      const isCommonJs = moduleKindOf(file) === 'commonjs'
      const place = compiledName(places.of(file))
      const read = createPathReader(program, file)
      /** A parameter, or what `createRequire` gives. */
      const ownsRequire = declares(program, 'require')
      const madeRequires = isCommonJs ? new Set() : requiresMadeIn(program)
      const required: string[] = []
      let byName = false
      walk(program, (node, parent) => {
        const target = pathOf(node, read)
        if (target !== undefined && asksFor(node)) {
          const isProgram = parent !== undefined && startsProgram(parent, node)
          ;(isProgram ? assets.programs : assets.paths).add(target)
          const named = isProgram || isPackageFile(file) ? undefined : textNaming(node, parent)
          if (named !== undefined && sourceOf(target) === undefined && !isFolder(target)) {
            assets.missing.set(target, { file, text: named })
          }
        }
        return replace(node, parent)
      })
      if (!text.hasChanged()) return null
      if (byName && !isCommonJs) {
        text.prepend(`import * as __byName from ${JSON.stringify(BY_NAME)};`)
      }
      required.forEach((one, i) => {
        text.prepend(`import __required${i} from ${JSON.stringify(requiredModule(one))};`)
      })
      return { code: text.toString(), map: text.generateMap({ hires: true }) }

      /** Whether there is more to be replaced inside. */
      function replace(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
        const found = locationOf(node, parent, place)
        if (found !== undefined) {
          text.overwrite(node.start, node.end, found)
          return false
        }
        if (node.type === 'ImportExpression') {
          return replaceName(childOf(node, 'source'), node, 'importByName')
        }
        if (node.type !== 'CallExpression') return true
        const [name] = childrenOf(node, 'arguments')
        const callee = childOf(node, 'callee')
        if (name === undefined || callee.type !== 'Identifier') return true
        if (madeRequires.has(callee['name'])) {
          return isText(name)
            ? replaceRequire(name, node)
            : replaceName(name, node, 'requireByName')
        }
        if (ownsRequire || callee['name'] !== 'require') return true
        return replaceName(name, node, 'requireByName')
      }

      /** No bundler sees what a `require` that was made loads. */
      function replaceRequire(name: SyntaxNode, call: SyntaxNode): boolean {
        const specifier = textOf(name)
        const found = isBuiltin(specifier) ? undefined : find(specifier, file, true)
        if (found === undefined || outside.takes(found, specifier)) return false
        text.overwrite(call.start, call.end, `__required${required.push(found) - 1}()`)
        return false
      }

      function replaceName(name: SyntaxNode, call: SyntaxNode, by: string): boolean {
        if (isText(name)) return true
        const known = pathOf(name, read)
        const module = known === undefined ? undefined : sourceOf(known)
        if (module !== undefined) {
          text.overwrite(name.start, name.end, JSON.stringify(module))
          return false
        }
        byName = true
        const from = isCommonJs ? `require(${JSON.stringify(BY_NAME)})` : '__byName'
        text.overwrite(call.start, name.start, `${from}.${by}(`)
        const near = modulesNear(name, file)
        const loader = by === 'importByName' ? 'import' : 'require'
        const loads = near.map(
          (one) =>
            `${JSON.stringify(compiledName(places.of(one)))}:()=>${loader}(${JSON.stringify(one)})`,
        )
        text.overwrite(name.end, call.end, `,${JSON.stringify(place)},{${loads.join()}})`)
        if (near.length === 0) assets.unknownNames.add(file)
        return true
      }
    },
  }
}

/** The path that an expression gives. */
function pathOf(
  node: SyntaxNode,
  read: (node: SyntaxNode) => string | URL | undefined,
): string | undefined {
  if (!/^(?:CallExpression|NewExpression|TemplateLiteral|BinaryExpression)$/.test(node.type)) {
    return undefined
  }
  const value = read(node)
  if (value === undefined) return undefined
  const text = String(value)
  if (text.startsWith('file:')) return fileURLToPath(text)
  return path.isAbsolute(text) ? path.normalize(text) : undefined
}

/** What is a path may be only a step on the way to one. */
function asksFor(node: SyntaxNode): boolean {
  return node.type !== 'CallExpression' || nameOf(childOf(node, 'callee')) !== 'dirname'
}

/** The text in which a call names a file; `undefined` where what it gives is only the beginning of a path. */
function textNaming(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  if (parent?.type === 'BinaryExpression' || parent?.type === 'TemplateLiteral') return undefined
  return childrenOf(node, 'arguments').filter(isText).map(textOf).at(-1)
}

/** `new Worker(path)`, `fork(path)`. */
function startsProgram(parent: SyntaxNode, node: SyntaxNode): boolean {
  if (parent.type !== 'NewExpression' && parent.type !== 'CallExpression') return false
  const name = nameOf(childOf(parent, 'callee'))
  return (name === 'Worker' || name === 'fork') && childrenOf(parent, 'arguments')[0] === node
}

/** What stands for a name of Node that says where a module is. */
function locationOf(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  place: string,
): string | undefined {
  const file = JSON.stringify(place)
  const folder = JSON.stringify(path.posix.dirname(place))
  if (node.type === 'Identifier' && isReference(node, parent)) {
    if (node['name'] === '__dirname') return `${PLACE}(${folder})`
    if (node['name'] === '__filename') return `${PLACE}(${file})`
  }
  if (node.type !== 'MemberExpression' || childOf(node, 'object').type !== 'MetaProperty') {
    return undefined
  }
  switch (nameOf(node)) {
    case 'url':
      return `${PLACE}.url(${file})`
    case 'dirname':
      return `${PLACE}(${folder})`
    case 'filename':
      return `${PLACE}(${file})`
    default:
      return undefined
  }
}

function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return true
  if (parent.type === 'MemberExpression') {
    return parent['property'] !== node || parent['computed'] === true
  }
  if (parent.type === 'Property' || parent.type === 'PropertyDefinition') {
    return parent['value'] === node && parent['shorthand'] !== true
  }
  return parent.type !== 'VariableDeclarator' || parent['id'] !== node
}

/** Names of functions that `createRequire` has made. */
function requiresMadeIn(program: SyntaxNode): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  walk(program, ({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) return
    const isMade =
      init.type === 'CallExpression' && nameOf(childOf(init, 'callee')) === 'createRequire'
    if (isMade) names.add(id['name'])
  })
  return names
}

function isText(node: SyntaxNode): boolean {
  if (node.type === 'Literal') return true
  return node.type === 'TemplateLiteral' && childrenOf(node, 'expressions').length === 0
}

function textOf(node: SyntaxNode): string {
  if (node.type === 'Literal') return String(node['value'])
  const [text] = childrenOf(node, 'quasis') as [SyntaxNode]
  return (text['value'] as { cooked: string }).cooked
}

function declares(program: SyntaxNode, name: string): boolean {
  let found = false
  const isName = (node: unknown): boolean =>
    isNode(node) && node.type === 'Identifier' && node['name'] === name
  walk(program, (node) => {
    found ||= node.type === 'VariableDeclarator' && isName(node['id'])
    found ||= Array.isArray(node['params']) && node['params'].some(isName)
    return !found
  })
  return found
}
