/** Finds the paths that expressions in a module evaluate to. */
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { extractAssignedNames } from '@rollup/pluginutils'
import type { MemberExpression, Node, Program, SimpleCallExpression, TemplateLiteral } from 'estree'
import { walk } from 'estree-walker'
import { modulePathOf } from './module-paths.ts'
import { cookedTexts, nameOf, parametersOf } from './syntax-tree.ts'

/** A path that an expression evaluates to. */
export interface NamedPath {
  /** Absolute. */
  readonly path: string
  /** It depends on the working directory. */
  readonly dependsOnCwd: boolean
}

/**
 * Finds the paths that expressions evaluate to: `join(__dirname, 'public')`, `new URL('./logo.svg', import.meta.url)`, with
 * constants and functions of the module in between. Returns `undefined` if the value depends on anything else, or neither on
 * the module's own path nor on the working directory, and for a name alone: what counts is the expression that uses it.
 *
 * @param folder the working directory, if it's known
 */
export function createPathReader(
  variables: Variables,
  file: string,
  folder: string | undefined,
): (node: Node) => NamedPath | undefined {
  const busy = new Set<string>()
  /** Arguments of the calls that are being read. */
  let parameters: ReadonlyMap<string | undefined, PathValue> = new Map()
  /** The value depends on the module's path or on the working directory. */
  let isAnchored = false
  let dependsOnCwd = false
  return (node) => {
    if (!/^(?:CallExpression|NewExpression|TemplateLiteral|BinaryExpression)$/.test(node.type)) {
      return undefined
    }
    isAnchored = dependsOnCwd = false
    const text = String(read(node) ?? '')
    if (!isAnchored) return undefined
    if (text.startsWith('file:')) return { path: fileURLToPath(text), dependsOnCwd }
    return path.isAbsolute(text) ? { path: path.normalize(text), dependsOnCwd } : undefined
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
    const modulePath = modulePathOf(name)
    if (modulePath !== undefined) {
      isAnchored = true
      return modulePath.valueIn(file)
    }
    if (parameters.has(name)) return parameters.get(name)
    const value = constant(name)
    return value && unlessBusy(name, () => read(value))
  }

  /** Returns a function, or the value of a variable that is declared once and never assigned again. */
  function constant(name: string): Node | undefined {
    const [value, ...others] = variables.get(name) ?? []
    return others.length === 0 ? value : undefined
  }

  function callFunction(call: SimpleCallExpression): PathValue {
    if (isWorkingDirectory(call)) {
      isAnchored = dependsOnCwd = true
      return folder
    }
    const { callee } = call
    const name = nameOf(callee)
    const definition = callee.type === 'Identifier' ? constant(callee.name) : undefined
    const args = call.arguments.map(read)
    if (name === undefined || definition === undefined) return callPathFunction(name, args)
    const result = resultOf(definition)
    if (result === undefined) return undefined
    return unlessBusy(name, () => {
      const outer = parameters
      const inner = parametersOf(definition).map((one, i) => [nameOf(one), args[i]] as const)
      parameters = new Map([...outer, ...inner])
      const value = read(result)
      parameters = outer
      return value
    })
  }

  function unlessBusy(name: string, readValue: () => PathValue): PathValue {
    if (busy.has(name)) return undefined
    busy.add(name)
    try {
      return readValue()
    } finally {
      busy.delete(name)
    }
  }

  function readMember(node: MemberExpression): PathValue {
    const property = nameOf(node)
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

const pathFunctions: Readonly<Record<string, (...texts: [string, ...string[]]) => PathValue>> = {
  dirname: path.dirname,
  join: path.join,
  normalize: path.normalize,
  pathToFileURL: (file) => pathToFileURL(file),
  resolve: (...texts) => (path.isAbsolute(texts[0]) ? path.resolve(...texts) : undefined),
}

function callPathFunction(name = '', args: readonly PathValue[]): PathValue {
  const [first] = args
  if (name === 'fileURLToPath' && first !== undefined) {
    return String(first).startsWith('file:') ? fileURLToPath(first) : undefined
  }
  const [start, ...texts] = args.filter((arg) => typeof arg === 'string')
  if (texts.length + 1 !== args.length || start === undefined) return undefined
  return Object.hasOwn(pathFunctions, name) ? pathFunctions[name]?.(start, ...texts) : undefined
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

/** The values that a module assigns, by variable, parameter, import and function; `undefined` for those that it gets from elsewhere. */
export type Variables = ReadonlyMap<string, readonly (Node | undefined)[]>

export function variablesOf(program: Program): Variables {
  const found = new Map<string, (Node | undefined)[]>()
  const assign = (target: Node, value?: Node | null): void => {
    for (const name of extractAssignedNames(target)) {
      const assigned = target.type === 'Identifier' && value ? value : undefined
      found.set(name, [...(found.get(name) ?? []), assigned])
    }
  }
  walk(program, {
    enter(node) {
      if (node.type === 'VariableDeclarator') assign(node.id, node.init)
      else if (/^Import.*Specifier$/.test(node.type) && 'local' in node) assign(node.local as Node)
      else if (node.type === 'AssignmentExpression') assign(node.left, node.right)
      else if (node.type === 'UpdateExpression') assign(node.argument)
      else if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
        if (node.left.type !== 'VariableDeclaration') assign(node.left)
      } else for (const parameter of parametersOf(node)) assign(parameter)
      if (node.type === 'FunctionDeclaration' && node.id) assign(node.id, node)
    },
  })
  return found
}
