import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { MemberExpression, Node, Program, SimpleCallExpression, TemplateLiteral } from 'estree'
import { walk } from 'estree-walker'
import { cookedTexts, nameOf, parametersOf } from './syntax-tree.ts'

/**
 * Evaluates expressions that say where a file is: `join(__dirname, 'public')`, `new URL('./logo.svg', import.meta.url)`, with
 * constants and functions of the module in between. Returns `undefined` if the value depends on anything else, or doesn't depend on the module's own path.
 *
 * @param folder the working directory, if it's known: values that depend on it are returned too
 */
export function createPathReader(
  program: Program,
  file: string,
  folder?: string,
): (node: Node) => string | URL | undefined {
  const constants = constantsOf(program)
  const busy = new Set<string>()
  const parameters = new Map<string, PathValue>()
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
        return callFunction(node)
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
    if (parameters.has(name)) return parameters.get(name)
    const value = constants.get(name)
    return value && unlessBusy(name, () => read(value))
  }

  function callFunction(call: SimpleCallExpression): PathValue {
    if (isWorkingDirectory(call)) {
      dependsOnModule = true
      return folder
    }
    const { callee, arguments: given } = call
    const name = nameOf(callee)
    const own = callee.type === 'Identifier' ? constants.get(callee.name) : undefined
    const args = given.map(read)
    if (name === undefined || own === undefined) return callPathFunction(name, args)
    const result = resultOf(own)
    if (result === undefined) return undefined
    return unlessBusy(name, () => {
      const names = parametersOf(own).map(nameOf)
      names.forEach((one = '', i) => parameters.set(one, args[i]))
      const value = read(result)
      for (const one of names) parameters.delete(one ?? '')
      return value
    })
  }

  function unlessBusy(name: string, evaluate: () => PathValue): PathValue {
    if (busy.has(name)) return undefined
    busy.add(name)
    try {
      return evaluate()
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

/** Matches `process.cwd()`. */
export function isWorkingDirectory(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  return nameOf(node.callee) === 'cwd' && nameOf(node.callee.object) === 'process'
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

/** Returns the expression that a function returns last: those before are for special cases. */
function resultOf(node: Node): Node | undefined {
  if (!('body' in node) || !('params' in node)) return undefined
  if (node.body.type !== 'BlockStatement') return node.body
  const last = node.body.body.at(-1)
  return last?.type === 'ReturnStatement' ? (last.argument ?? undefined) : undefined
}

/** Returns the functions, and the values of variables that are declared once and never assigned again. */
function constantsOf(program: Program): ReadonlyMap<string, Node> {
  const found = new Map<string, Node | undefined>()
  const declare = (target: Node, value?: Node | null): void => {
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
      if (node.type === 'FunctionDeclaration' && node.id) declare(node.id, node)
    },
  })
  return new Map([...found].flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
