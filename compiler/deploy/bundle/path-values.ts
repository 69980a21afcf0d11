/** Finds the paths that expressions in a module evaluate to. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { extractAssignedNames } from '@rollup/pluginutils'
import type {
  ExpressionStatement,
  ImportDeclaration,
  MemberExpression,
  Node,
  Program,
  SimpleCallExpression,
  TemplateLiteral,
  VariableDeclarator,
} from 'estree'
import { walk } from 'estree-walker'
import { parseAst } from 'rollup/parseAst'
import { isFile } from '../../util/paths.ts'
import { modulePathOf } from './module-paths.ts'
import { cookedTexts, isText, nameOf, parametersOf, textOf } from './syntax-tree.ts'

/** A path that an expression evaluates to. */
export interface NamedPath {
  /** Absolute. If `ends` is set, the folder above the unknown part. */
  readonly path: string
  /** What names of files in the folder begin and end with, if the rest is unknown. */
  readonly ends?: readonly [start: string, end: string]
  /** It depends on the working directory: through `process.cwd()`, or because it's relative to it. */
  readonly dependsOnCwd: 'cwd()' | 'relative' | undefined
}

interface PathReaderOptions {
  readonly variables: Variables
  /** The module. */
  readonly file: string
  /** The working directory. */
  readonly folder: string
  /** Returns what a call of `require.resolve` or `import.meta.resolve` evaluates to. */
  resolve(call: Node): string | URL | undefined
}

interface PathReader {
  /** Returns `undefined` for a name alone: what counts is the expression that uses it. */
  pathOf(node: Node): NamedPath | undefined
  /** Returns the path of any expression. */
  valueOf(node: Node): NamedPath | undefined
  /** Returns the rest of a path below an unknown folder: `sql/all.sql` for `join(folder, 'sql', 'all.sql')`. */
  restOf(node: Node): string | undefined
}

/** Stands for the part of a path that only the running application knows. It isn't special in URLs. */
const UNKNOWN = '\uE000'
const UNKNOWN_FOLDER = new RegExp(`^${UNKNOWN}[\\\\/]+`)

/**
 * Finds the paths that expressions evaluate to: `join(__dirname, 'public')`, `new URL('./logo.svg', import.meta.url)`, with
 * constants and functions of the module in between. Returns `undefined` if the value depends neither on the module's own path
 * nor on the working directory.
 */
export function createPathReader({
  variables,
  file,
  folder,
  resolve,
}: PathReaderOptions): PathReader {
  const busy = new Set<string>()
  /** Arguments of the calls that are being read. */
  let parameters: ReadonlyMap<string | undefined, PathValue> = new Map()
  /** The value depends on the module's path or on the working directory. */
  let isAnchored = false
  let dependsOnCwd: NamedPath['dependsOnCwd']
  return {
    pathOf: (node) => (isPathExpression(node) ? valueOf(node) : undefined),
    valueOf,
    restOf(node) {
      const text = textOf(node)
      if (isAnchored) return undefined
      if (UNKNOWN_FOLDER.test(text)) return text.replace(UNKNOWN_FOLDER, '')
      if (node.type !== 'NewExpression' || nameOf(node.callee) !== 'URL') return undefined
      const [target, base] = node.arguments
      return target && base && !read(base) ? String(read(target) ?? '') : undefined
    },
  }

  function valueOf(node: Node): NamedPath | undefined {
    const text = textOf(node)
    if (!isAnchored) return undefined
    const found = text.startsWith('file:') ? fileOf(text) : text
    if (found === undefined || !path.isAbsolute(found)) return undefined
    return { ...namedPath(found, [folder, path.dirname(file)]), dependsOnCwd }
  }

  function textOf(node: Node): string {
    isAnchored = false
    dependsOnCwd = undefined
    return String(readRelative(node) ?? read(node) ?? '')
  }

  /** Returns the path that a function reads in the working directory: `readFileSync('terms.txt')`. */
  function readRelative(node: Node): PathValue {
    const argument = readPathOf(node)
    const text = argument && read(argument)
    return isRelativePath(text) ? inWorkingDirectory([text]) : undefined
  }

  function inWorkingDirectory(texts: readonly string[]): string {
    isAnchored = true
    dependsOnCwd = 'relative'
    return path.resolve(folder, ...texts)
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
    if (isWorkingDirectory(call, variables)) {
      isAnchored = true
      dependsOnCwd ??= 'cwd()'
      return folder
    }
    const resolved = resolve(call)
    if (resolved !== undefined) {
      isAnchored = true
      return resolved
    }
    const { callee } = call
    const name = nameOf(callee)
    const definition = callee.type === 'Identifier' ? constant(callee.name) : undefined
    const args = call.arguments.map(read)
    if (name === undefined || definition === undefined) {
      const isOfPromise = callee.type === 'MemberExpression' && nameOf(callee.object) === 'Promise'
      const isRelative = name === 'resolve' && !isOfPromise && isRelativePath(args[0])
      return isRelative ? inWorkingDirectory(textsOf(args)) : callPathFunction(name, args)
    }
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

  function readTemplate(node: TemplateLiteral): string {
    const values = node.expressions.map(read)
    return joined(
      cookedTexts(node).flatMap((text, i) => (i === 0 ? [text] : [values[i - 1], text])),
    )
  }
}

/**
 * Splits a path at its unknown part.
 *
 * @param own folders to which an unknown text is appended: it leads into them
 */
export function namedPath(
  text: string,
  own: readonly string[] = [],
): Pick<NamedPath, 'path' | 'ends'> {
  const known = path.normalize(text)
  if (!known.includes(UNKNOWN)) return { path: known }
  const [before = '', ...others] = known.split(UNKNOWN)
  // The rest of `__dirname + rest` begins with a separator.
  const first = own.includes(before) ? before + path.sep : before
  const start = /[^/\\]*$/.exec(first)?.[0] ?? ''
  const folder = first.slice(0, first.length - start.length) || path.sep
  return { path: folder, ends: [start, others.at(-1) ?? ''] }
}

function isPathExpression({ type }: Node): boolean {
  return /^(?:CallExpression|NewExpression|TemplateLiteral|BinaryExpression)$/.test(type)
}

/** Matches `process.cwd()`, also under the names that a module gives to `process` and `cwd`. */
export function isWorkingDirectory(node: Node, variables: Variables): boolean {
  if (node.type !== 'CallExpression') return false
  const callee =
    node.callee.type === 'SequenceExpression' ? node.callee.expressions.at(-1) : node.callee
  const called = valueOfName(callee as Node, variables)
  if (called.type !== 'MemberExpression' || nameOf(called) !== 'cwd') return false
  return isProcess(valueOfName(called.object, variables))
}

/** Returns what a variable that is assigned once stands for. */
function valueOfName(node: Node, variables: Variables): Node {
  const [value, ...others] = (node.type === 'Identifier' && variables.get(node.name)) || []
  return value === undefined || others.length > 0 ? node : value
}

function isProcess(node: Node): boolean {
  if (node.type !== 'CallExpression') return nameOf(node) === 'process'
  const [name] = node.arguments
  return (
    nameOf(node.callee) === 'require' &&
    name !== undefined &&
    isText(name) &&
    isProcessName(textOf(name))
  )
}

function isProcessName(specifier: unknown): boolean {
  return specifier === 'process' || specifier === 'node:process'
}

/** Stands for the function where a module imports it or takes it out of `process`. */
const cwdOfProcess = (parseAst('process.cwd').body[0] as ExpressionStatement)
  .expression as MemberExpression

function memberOfProcess(key: Node): Node | undefined {
  return nameOf(key) === 'cwd' ? cwdOfProcess : undefined
}

type PathValue = string | URL | undefined

const pathFunctions: Readonly<Record<string, (...texts: [string, ...string[]]) => PathValue>> = {
  dirname: path.dirname,
  join: joinBelow,
  normalize: path.normalize,
  pathToFileURL: (file) => pathToFileURL(file),
  resolve: (...texts) => (path.isAbsolute(texts[0]) ? path.resolve(...texts) : joinBelow(...texts)),
}

/** Joins a path. An unknown folder stays what `..` begins at. Functions such as that of `desm` join from the folder of a URL. */
function joinBelow(folder: string, ...texts: readonly string[]): string {
  const file = folder.startsWith('file:') ? fileOf(folder) : undefined
  if (file !== undefined && isFile(file) && !existsSync(path.join(file, ...texts)))
    return path.join(path.dirname(file), ...texts)
  return folder === UNKNOWN ? `${UNKNOWN}/${path.join(...texts)}` : path.join(folder, ...texts)
}

function callPathFunction(name = '', args: readonly PathValue[]): PathValue {
  const [first] = args
  if (name === 'fileURLToPath') {
    return String(first).startsWith('file:') ? fileOf(String(first)) : undefined
  }
  const [start, ...texts] = textsOf(args)
  if (start === undefined || first instanceof URL) return undefined
  return Object.hasOwn(pathFunctions, name) ? pathFunctions[name]?.(start, ...texts) : undefined
}

function textsOf(values: readonly PathValue[]): readonly string[] {
  return values.map((value) => (typeof value === 'string' ? value : UNKNOWN))
}

function toUrl([target = UNKNOWN, base]: readonly PathValue[]): URL | undefined {
  if (!String(base ?? target).startsWith('file:')) return undefined
  return URL.canParse(String(target), base && String(base)) ? new URL(target, base) : undefined
}

/** Returns the file of a URL: those with a host, an encoded slash or an invalid escape have none. */
function fileOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function isRelativePath(value: PathValue): value is string {
  return typeof value === 'string' && /^[\w.@-]/.test(value) && !/^\w+:/.test(value)
}

/** Functions that read the path of their first argument, or check whether something is there. */
const readers =
  /^(?:(?:access|l?stat|opendir|readdir|readFile)(?:Sync)?|createReadStream|existsSync|openAsBlob|Worker|fork)$/

/** Returns the path that a call reads, or that it starts as a thread or process. */
export function readPathOf(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  return readers.test(nameOf(node.callee) ?? '') ? node.arguments[0] : undefined
}

function joined(parts: readonly PathValue[]): string {
  return parts.map((part) => part ?? UNKNOWN).join('')
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
      if (node.type === 'VariableDeclarator') declare(node)
      else if (node.type === 'ImportDeclaration') importFrom(node)
      else if (node.type === 'AssignmentExpression') assign(node.left, node.right)
      else if (node.type === 'UpdateExpression') assign(node.argument)
      else if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
        if (node.left.type !== 'VariableDeclaration') assign(node.left)
      } else for (const parameter of parametersOf(node)) assign(parameter)
      if (node.type === 'FunctionDeclaration' && node.id) assign(node.id, node)
    },
  })
  return found

  function declare({ id, init }: VariableDeclarator): void {
    if (id.type !== 'ObjectPattern' || !init || !isProcess(init)) assign(id, init)
    else
      for (const one of id.properties)
        if (one.type === 'Property') assign(one.value, memberOfProcess(one.key))
        else assign(one.argument)
  }

  function importFrom({ source, specifiers }: ImportDeclaration): void {
    for (const one of specifiers) {
      const value =
        one.type === 'ImportSpecifier' ? memberOfProcess(one.imported) : cwdOfProcess.object
      assign(one.local, isProcessName(source.value) ? value : undefined)
    }
  }
}
