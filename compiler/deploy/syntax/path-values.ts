import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SyntaxNode } from './walk.ts'
import { childOf, childrenOf, isNode, walk } from './walk.ts'

/**
 * Computes expressions that say where a file is: `join(__dirname, 'public')`, `new URL('./logo.svg', import.meta.url)`,
 * with constants in between. `undefined` for what depends on anything else, and for what does not depend on the module's place.
 */
export function createPathReader(
  program: SyntaxNode,
  file: string,
): (node: SyntaxNode) => string | URL | undefined {
  const constants = constantsOf(program)
  const busy = new Set<string>()
  /** Whether what is read depends on where the module lies. */
  let isPlaced = false
  return (node) => {
    isPlaced = false
    const value = read(node)
    return isPlaced ? value : undefined
  }

  function read(node: SyntaxNode): string | URL | undefined {
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? node['value'] : undefined
      case 'Identifier':
        return readName(String(node['name']))
      case 'MemberExpression':
        return readMember(node)
      case 'TemplateLiteral':
        return readTemplate(node)
      case 'BinaryExpression':
        return node['operator'] === '+'
          ? joined([read(childOf(node, 'left')), read(childOf(node, 'right'))])
          : undefined
      case 'CallExpression':
        return readCall(nameOf(childOf(node, 'callee')), childrenOf(node, 'arguments').map(read))
      case 'NewExpression':
        return nameOf(childOf(node, 'callee')) === 'URL'
          ? toUrl(childrenOf(node, 'arguments').map(read))
          : undefined
      default:
        return undefined
    }
  }

  function readName(name: string): string | URL | undefined {
    isPlaced ||= name === '__dirname' || name === '__filename'
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

  function readMember(node: SyntaxNode): string | URL | undefined {
    const property = nameOf(node)
    const object = childOf(node, 'object')
    if (object.type === 'MetaProperty') {
      isPlaced = true
      if (property === 'url') return pathToFileURL(file).href
      if (property === 'dirname') return path.dirname(file)
      return property === 'filename' ? file : undefined
    }
    const url = property === 'href' || property === 'pathname' ? read(object) : undefined
    return url instanceof URL ? url[property as 'href' | 'pathname'] : undefined
  }

  function readTemplate(node: SyntaxNode): string | undefined {
    const texts = childrenOf(node, 'quasis').map(
      ({ value }) => (value as { cooked: string }).cooked,
    )
    const values = childrenOf(node, 'expressions').map(read)
    return joined(texts.flatMap((text, i) => (i === 0 ? [text] : [values[i - 1], text])))
  }
}

type Read = string | URL | undefined

function readCall(name: string | undefined, args: readonly Read[]): Read {
  const [first] = args
  if (name === 'fileURLToPath' && first !== undefined) {
    return String(first).startsWith('file:') ? fileURLToPath(first) : undefined
  }
  const texts = args.filter((arg) => typeof arg === 'string')
  if (texts.length !== args.length || first === undefined) return undefined
  switch (name) {
    case 'join':
      return path.join(...texts)
    case 'resolve':
      return path.isAbsolute(texts[0] as string) ? path.resolve(...texts) : undefined
    case 'dirname':
      return path.dirname(texts[0] as string)
    case 'normalize':
      return path.normalize(texts[0] as string)
    case 'pathToFileURL':
      return pathToFileURL(texts[0] as string)
    default:
      return undefined
  }
}

function toUrl([target, base]: readonly Read[]): URL | undefined {
  if (target === undefined || !String(base ?? target).startsWith('file:')) return undefined
  return URL.canParse(String(target), base && String(base)) ? new URL(target, base) : undefined
}

function joined(parts: readonly Read[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join('')
}

/** The last name of what is called or read: `join` of `path.join`. */
export function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type !== 'MemberExpression' || node['computed'] === true) return undefined
  return nameOf(childOf(node, 'property'))
}

/** What names stand for that are declared once, and not as parameters. */
function constantsOf(program: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode | undefined>()
  const declare = (target: unknown, value: SyntaxNode | undefined): void => {
    if (!isNode(target)) return
    if (target.type !== 'Identifier') {
      walk(target, (node) => {
        if (node.type === 'Identifier') found.set(String(node['name']), undefined)
      })
      return
    }
    const name = String(target['name'])
    found.set(name, found.has(name) ? undefined : value)
  }
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') {
      declare(node['id'], isNode(node['init']) ? node['init'] : undefined)
    } else if (node.type === 'AssignmentExpression') {
      declare(node['left'], undefined)
    } else if (Array.isArray(node['params'])) {
      for (const parameter of node['params'] as unknown[]) declare(parameter, undefined)
    }
  })
  return new Map([...found].flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
