import type { KeptFile, SourceLocation } from '../../model/index.ts'
import { constantOf } from '../constant.ts'
import { placeInData } from '../data/places.ts'
import { parse, valueNames } from '../parse.ts'
import type { Path } from '../places.ts'
import { ts } from '../project.ts'
import type { Lines } from './lines.ts'

/** A literal of plain data as it is written. */
export interface WrittenLiteral {
  readonly node: ts.ObjectLiteralExpression
  readonly value: object
  readonly names: ReadonlyMap<string, number>
}

/** Reads what is to be one object literal of plain data, and nothing else. */
export function readLiteral(file: string, text: string): WrittenLiteral | undefined {
  const source = parse(file, `(${text})`)
  const { parseDiagnostics } = source as ts.SourceFile & { parseDiagnostics?: readonly unknown[] }
  const [statement, ...others] = source.statements
  if (parseDiagnostics?.length !== 0 || others.length > 0) return undefined
  if (statement === undefined || !ts.isExpressionStatement(statement)) return undefined
  const { expression } = statement
  if (!ts.isParenthesizedExpression(expression)) return undefined
  const node = expression.expression
  if (!ts.isObjectLiteralExpression(node)) return undefined
  if (node.getStart(source) !== 1 || node.end !== 1 + text.length) return undefined
  const constant = constantOf(node)
  return constant && { node, value: constant.value as object, names: valueNames(source) }
}

/** A literal in a file, read when something in it is asked for. */
export class KeptLiteral {
  readonly #file: Pick<KeptFile, 'file' | 'shown'>
  readonly #lines: () => Lines
  readonly #start: number
  readonly #end: number
  #written: WrittenLiteral | undefined

  /** @param written where it is known */
  constructor(
    file: Pick<KeptFile, 'file' | 'shown'>,
    lines: () => Lines,
    [start, end]: readonly [number, number],
    written: WrittenLiteral | undefined,
  ) {
    this.#file = file
    this.#lines = lines
    this.#start = start
    this.#end = end
    this.#written = written
  }

  /** Where in it a value is written, or its name; `undefined` when it has none there. */
  locate(path: Path, what: 'name' | undefined): SourceLocation | undefined {
    const { file, shown } = this.#file
    const lines = this.#lines()
    const text = lines.text.slice(this.#start, this.#end)
    const written = (this.#written ??= readLiteral(file, text))
    const node = written && placeInData(written.node, path, what)
    if (node === undefined) return undefined
    const start = this.#start + node.getStart() - 1
    const length = Math.max(1, node.getEnd() - node.getStart())
    return {
      file: shown,
      ...lines.positionOf(start),
      length: lines.lengthOnLine(start, length),
    }
  }
}
