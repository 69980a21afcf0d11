import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Expression, MemberExpression, Node, Program, TemplateLiteral } from 'estree'
import { walk } from 'estree-walker'
import { cookedTexts, nameOf, parametersOf } from './syntax-tree.ts'

/**
 * Evaluates expressions that say where a file is: `join(__dirname, 'public')`, `new URL('./logo.svg', import.meta.url)`, with
 * constants in between. Returns `undefined` if the value depends on anything else, or doesn't depend on the module's own path.
 */
export function createPathReader(
  program: Program,
  file: string,
): (node: Node) => string | URL | undefined {
  const constants = constantsOf(program)
  const busy = new Set<string>()
  let dependsOnModule = false
  return (node) => {
    dependsOnModule = false
    const value = read(node)
    return dependsOnModule ? value : undefined
  }

  function read(node: Node): PathValue {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? node.value : undefined
      case 'Identifier':
        return readName(node.name)
      case 'MemberExpression':
        return readMember(node)
      case 'TemplateLiteral':
        return readTemplate(node)
      case 'BinaryExpression':
        return node.operator === '+' ? joined([read(node.left), read(node.right)]) : undefined
      case 'CallExpression':
        return callPathFunction(nameOf(node.callee), node.arguments.map(read))
      case 'NewExpression':
        return nameOf(node.callee) === 'URL' ? toUrl(node.arguments.map(read)) : undefined
      default:
        return undefined
    }
  }

  function readName(name: string): PathValue {
    dependsOnModule ||= name === '__dirname' || name === '__filename'
    if (name === '__dirname') return path.dirname(file)
    if (name === '__filename') return file
    const value = constants.get(name)
    if (value === undefined || busy.has(name)) return undefined
    busy.add(name)
    try {
      return read(value)
    } finally {
      busy.delete(name)
    }
  }

  function readMember(node: MemberExpression): PathValue {
    const property = nameOf(node)
    if (node.object.type === 'MetaProperty') {
      dependsOnModule = true
      if (property === 'url') return pathToFileURL(file).href
      if (property === 'dirname') return path.dirname(file)
      return property === 'filename' ? file : undefined
    }
    if (property !== 'href' && property !== 'pathname') return undefined
    const url = read(node.object)
    return url instanceof URL ? url[property] : undefined
  }

  function readTemplate(node: TemplateLiteral): string | undefined {
    const values = node.expressions.map(read)
    return joined(
      cookedTexts(node).flatMap((text, i) => (i === 0 ? [text] : [values[i - 1], text])),
    )
  }
}

type PathValue = string | URL | undefined

function callPathFunction(name: string | undefined, args: readonly PathValue[]): PathValue {
  const [first] = args
  if (name === 'fileURLToPath' && first !== undefined) {
    return String(first).startsWith('file:') ? fileURLToPath(first) : undefined
  }
  const texts = args.filter((arg) => typeof arg === 'string')
  const [start] = texts
  if (texts.length !== args.length || start === undefined) return undefined
  switch (name) {
    case 'join':
      return path.join(...texts)
    case 'resolve':
      return path.isAbsolute(start) ? path.resolve(...texts) : undefined
    case 'dirname':
      return path.dirname(start)
    case 'normalize':
      return path.normalize(start)
    case 'pathToFileURL':
      return pathToFileURL(start)
    default:
      return undefined
  }
}

function toUrl([target, base]: readonly PathValue[]): URL | undefined {
  if (target === undefined || !String(base ?? target).startsWith('file:')) return undefined
  return URL.canParse(String(target), base && String(base)) ? new URL(target, base) : undefined
}

function joined(parts: readonly PathValue[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join('')
}

/** Returns the values of variables that are declared once and never assigned again. */
function constantsOf(program: Program): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression | undefined>()
  const declare = (target: Node, value?: Expression | null): void => {
    if (target.type === 'Identifier') {
      found.set(target.name, found.has(target.name) ? undefined : (value ?? undefined))
      return
    }
    walk(target, {
      enter(node) {
        if (node.type === 'Identifier') found.set(node.name, undefined)
      },
    })
  }
  walk(program, {
    enter(node) {
      if (node.type === 'VariableDeclarator') declare(node.id, node.init)
      else if (node.type === 'AssignmentExpression') declare(node.left)
      else for (const parameter of parametersOf(node)) declare(parameter)
    },
  })
  return new Map([...found].flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
