/** Recognizes expressions with paths of files: `__dirname`, `import.meta.url`, `new Worker(path)`. */
import path from 'node:path'
import type { Node } from 'estree'
import { LOCATE } from '../targets/environment.ts'
import { isText, nameOf, textOf } from './syntax-tree.ts'

/** `dirname()` is a step on the way to a file. */
export function isDirname(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node.callee) === 'dirname'
}

/** Returns the text in which a call names a file; `undefined` if the call gives only the beginning of a path. */
export function fileNameIn(node: Node, parent: Node | null): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  if (parent?.type === 'BinaryExpression' || parent?.type === 'TemplateLiteral') return undefined
  return node.arguments.filter(isText).map(textOf).at(-1)
}

/** Matches the first argument of `new Worker(path)` and `fork(path)`. */
export function startsProgram(parent: Node, node: Node): boolean {
  if (parent.type !== 'NewExpression' && parent.type !== 'CallExpression') return false
  const name = nameOf(parent.callee)
  return (name === 'Worker' || name === 'fork') && parent.arguments[0] === node
}

/** Returns the replacement of `__dirname`, `import.meta.url` and the like. */
export function locationOf(
  node: Node,
  parent: Node | null,
  deployed: string,
  isDeclared: (name: string) => boolean,
): string | undefined {
  const file = JSON.stringify(deployed)
  const folder = JSON.stringify(path.posix.dirname(deployed))
  if (node.type === 'Identifier') {
    const { name } = node
    if (name !== '__dirname' && name !== '__filename') return undefined
    if (!isReference(node, parent) || isDeclared(name)) return undefined
    const location = `${LOCATE}(${name === '__dirname' ? folder : file})`
    return parent?.type === 'Property' && parent.shorthand ? `${name}:${location}` : location
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
    case 'PropertyDefinition':
      return parent.value === node
    case 'AssignmentExpression':
      return parent.left !== node
    default:
      return true
  }
}
