/** Modules that code names by their paths, and may start in another module or package: `new Pool({ filename: join(__dirname, 'task.js') })`. */
import { readFileSync } from 'node:fs'
import type { Node, Program } from 'estree'
import { walk } from 'estree-walker'
import { ts } from '../../util/source/project.ts'
import { isNodeModule, moduleKindOf } from '../../util/module-kind.ts'
import { isPackageFile } from '../../util/paths.ts'
import { sourceOf } from '../assets.ts'
import type { FindModule } from './find-module.ts'
import type { Variables } from './path-values.ts'
import { nameOf, parametersOf } from './syntax-tree.ts'

/** Threads of pino's transports run from a copy of it. */
const COPIED = /[/\\]node_modules[/\\](?:pino|thread-stream)[/\\]/

/** Checks for a module that runs only in Node, or only with others beside it. Scripts for browsers mostly import nothing. */
export function isNodeProgram(target: string, find: FindModule): boolean {
  const source = /\.[cm]?[jt]sx?$/.test(target) ? sourceOf(target) : undefined
  if (source === undefined || COPIED.test(source)) return false
  const isRequire = moduleKindOf(source) === 'commonjs'
  const { importedFiles } = ts.preProcessFile(readFileSync(source, 'utf8'), true, true)
  return importedFiles.some(({ fileName: name }) => {
    if (/^(?:node:|worker_threads$)/.test(name)) return true
    // Scripts of packages for browsers also require other packages, where there is a `require`.
    const isCertain = /^\.{1,2}(?:\/|$)/.test(name) || !isPackageFile(source)
    return isCertain && !isNodeModule(name) && find(name, source, isRequire) !== undefined
  })
}

/** Functions that pass on what is in a file. */
const READS = /^(?:read|send|serve|copy|createReadStream)/

/** Returns a function that checks whether code reads the file of a path. @param variables of the program */
export function readerFinder(program: Program, variables: Variables): (user: Node) => boolean {
  let variablesRead: ReadonlySet<string> | undefined
  return (user) => {
    if (user.type !== 'VariableDeclarator') return reads(user)
    variablesRead ??= namesReadIn(program, reads)
    return user.id.type === 'Identifier' && variablesRead.has(user.id.name)
  }

  function reads(call: Node): boolean {
    if (call.type !== 'CallExpression') return false
    if (READS.test(nameOf(call.callee) ?? '')) return true
    const values = call.callee.type === 'Identifier' ? variables.get(call.callee.name) : undefined
    return (values ?? []).some((one) => one !== undefined && readsParameter(one))
  }
}

function readsParameter(definition: Node): boolean {
  const parameters = parametersOf(definition).map(nameOf)
  if (parameters.length === 0) return false
  const isReader = (node: Node): boolean =>
    node.type === 'CallExpression' && READS.test(nameOf(node.callee) ?? '')
  return [...namesReadIn(definition, isReader)].some((name) => parameters.includes(name))
}

/** Returns the variables that calls get as arguments. */
function namesReadIn(code: Node, isReader: (call: Node) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  walk(code, {
    enter(node) {
      if (node.type !== 'CallExpression' || !isReader(node)) return
      for (const one of node.arguments) if (one.type === 'Identifier') found.add(one.name)
    },
  })
  return found
}
