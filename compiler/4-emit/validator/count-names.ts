/**
 * Ajv counts how often names occur in the code of a function before it leaves out what nobody needs, and adds the counts of
 * each block to those of the block around it, so that code costs the more the deeper it is. This counts all into one.
 */
import { CodeGen } from 'ajv/dist/compile/codegen/index.js'

type Counts = Record<string, number>

interface Expression {
  readonly names?: Counts
}

/** A statement as Ajv keeps it. */
interface Statement {
  /** Of all that is in it. */
  readonly names: Counts
  /** Of blocks. */
  readonly nodes?: readonly Statement[]
  readonly condition?: Expression | boolean
  readonly iteration?: Expression
  readonly from?: Expression | number
  readonly to?: Expression | number
  readonly iterable?: Expression
  readonly else?: Statement
  readonly catch?: Statement
  readonly finally?: Statement
}

interface Generator {
  readonly _root: {
    optimizeNodes(): unknown
    optimizeNames(names: Counts, constants: object): unknown
  } & Statement
  readonly _constants: object
}

/** Makes Ajv count in this way, whoever uses it: it comes to the same. */
export function countNamesOnce(): void {
  ;(CodeGen.prototype as { optimize: unknown }).optimize = optimize
}

function optimize(this: Generator, times = 1): void {
  for (let i = 0; i < times; i++) {
    this._root.optimizeNodes()
    const names: Counts = {}
    count(this._root, names)
    this._root.optimizeNames(names, this._constants)
  }
}

function count(statement: Statement, counts: Counts): void {
  const { nodes } = statement
  if (nodes === undefined) return add(statement.names, counts)
  for (const one of nodes) count(one, counts)
  const { condition, iteration, from, to, iterable } = statement
  for (const one of [condition, iteration, from, to, iterable])
    if (typeof one === 'object' && one.names !== undefined) add(one.names, counts)
  for (const one of [statement.else, statement.catch, statement.finally])
    if (one !== undefined) count(one, counts)
}

function add(names: Counts, counts: Counts): void {
  for (const name in names) counts[name] = (counts[name] ?? 0) + (names[name] ?? 0)
}
